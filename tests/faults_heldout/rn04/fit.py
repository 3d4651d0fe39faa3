import csv

import torch
import torch.nn.functional as F

from model import MatrixFactorization


class Recommender:
    def __init__(self, n_users, n_items, mean, lr=5e-3, weight_decay=1e-4):
        self.model = MatrixFactorization(n_users, n_items, mean=mean)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr, weight_decay=weight_decay)

    def ensure_capacity(self, n_users, n_items):
        if n_users > self.model.user.num_embeddings or n_items > self.model.item.num_embeddings:
            self.model = self.model.expanded(n_users, n_items)

    def fit(self, train, val, epochs, batch_size=128):
        u, i, r = train
        for epoch in range(epochs):
            self.model.train()
            total = 0.0
            for idx in torch.randperm(len(r)).split(batch_size):
                loss = F.mse_loss(self.model(u[idx], i[idx]), r[idx])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(idx)
            print(f"epoch {epoch} mse {total / len(r):.4f} val rmse {self.rmse(val):.4f}")

    @torch.no_grad()
    def rmse(self, data):
        self.model.eval()
        u, i, r = data
        return F.mse_loss(self.model(u, i).clamp(0.5, 5.0), r).sqrt().item()


def main():
    torch.manual_seed(23)
    with open("ratings.csv") as fh:
        rows = [(int(x["user"]), int(x["item"]), float(x["stars"])) for x in csv.DictReader(fh)]
    u = torch.tensor([x[0] for x in rows])
    i = torch.tensor([x[1] for x in rows])
    r = torch.tensor([x[2] for x in rows])
    cut = int(0.85 * len(r))
    train, val = (u[:cut], i[:cut], r[:cut]), (u[cut:], i[cut:], r[cut:])

    rec = Recommender(n_users=200, n_items=150, mean=train[2].mean().item())
    rec.ensure_capacity(int(u.max()) + 1, int(i.max()) + 1)
    rec.fit(train, val, epochs=20)


if __name__ == "__main__":
    main()
