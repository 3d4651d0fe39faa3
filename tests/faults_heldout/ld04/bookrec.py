# Rating prediction for the reading club. Biases + factor model, RMSE on held-out ratings.
import sys

import numpy as np
import torch
import torch.nn as nn

EPOCHS, BATCH, LR, DIM = 12, 128, 0.01, 8


class FactorModel(nn.Module):

    SIDES = ("user", "book")

    def __init__(self, sizes, dim, mean):
        super().__init__()
        self.mean = mean
        self.user_bias = nn.Embedding(sizes["user"], 1)
        self.book_bias = nn.Embedding(sizes["book"], 1)
        self.factors = {side: nn.Embedding(sizes[side], dim) for side in self.SIDES}
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.book_bias.weight)
        for table in self.factors.values():
            nn.init.normal_(table.weight, std=0.15)

    def forward(self, user, book):
        dot = (self.factors["user"](user) * self.factors["book"](book)).sum(-1)
        return self.mean + self.user_bias(user).squeeze(-1) + self.book_bias(book).squeeze(-1) + dot


def rmse(model, user, book, stars):
    model.eval()
    with torch.no_grad():
        err = model(user, book) - stars
    return err.pow(2).mean().sqrt().item()


def main(path):
    torch.manual_seed(0)
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    np.random.default_rng(0).shuffle(table)
    user = torch.from_numpy(table[:, 0]).long()
    book = torch.from_numpy(table[:, 1]).long()
    stars = torch.from_numpy(table[:, 2]).float()
    n = int(len(stars) * 0.85)

    model = FactorModel({"user": int(user.max()) + 1, "book": int(book.max()) + 1}, DIM,
                        stars[:n].mean().item())
    optimizer = torch.optim.Adam(model.parameters(), lr=LR, weight_decay=1e-5)
    mse = nn.MSELoss()
    for epoch in range(EPOCHS):
        model.train()
        perm = torch.randperm(n)
        running = 0.0
        for i in range(0, n, BATCH):
            j = perm[i:i + BATCH]
            optimizer.zero_grad()
            loss = mse(model(user[j], book[j]), stars[j])
            loss.backward()
            optimizer.step()
            running += loss.item() * len(j)
        print("epoch", epoch + 1, "train mse %.4f" % (running / n),
              "held-out rmse %.4f" % rmse(model, user[n:], book[n:], stars[n:]))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "ratings.csv")
