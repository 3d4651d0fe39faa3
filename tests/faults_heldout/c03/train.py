"""Matrix factorisation: who likes which film."""
from collections import namedtuple
from pathlib import Path

import numpy as np
import torch

Ratings = namedtuple("Ratings", "user item stars")


def read(part):
    rows = np.loadtxt(Path(__file__).parent / f"{part}.tsv", dtype=np.float32, skiprows=1)
    return Ratings(torch.from_numpy(rows[:, 0]).long(), torch.from_numpy(rows[:, 1]).long(), torch.from_numpy(rows[:, 2]))


class Factors(torch.nn.Module):
    def __init__(self, users, items, rank=6):
        super().__init__()
        self.u, self.i = torch.nn.Embedding(users, rank), torch.nn.Embedding(items, rank)
        self.bu, self.bi = torch.nn.Embedding(users, 1), torch.nn.Embedding(items, 1)
        self.mean = torch.nn.Parameter(torch.tensor(3.0))
        for table in (self.u, self.i):
            torch.nn.init.normal_(table.weight, std=0.1)
        for table in (self.bu, self.bi):
            torch.nn.init.zeros_(table.weight)

    def forward(self, user, item):
        return self.mean + (self.u(user) * self.i(item)).sum(1) + self.bu(user)[:, 0] + self.bi(item)[:, 0]


def rmse(model, data):
    with torch.inference_mode():
        return (model(data.user, data.item) - data.stars).square().mean().sqrt().item()


def main(epochs=12, rate=1e-2, size=64, decay=2e-3):
    torch.manual_seed(77)
    train, test = read("train"), read("test")
    model = Factors(int(max(train.user.max(), test.user.max())) + 1, int(max(train.item.max(), test.item.max())) + 1)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=decay)
    for epoch in range(epochs):
        for rows in torch.randperm(len(train.stars)).split(size):
            predicted = model(train.user[rows], train.item[rows])
            loss = torch.nn.functional.mse_loss(predicted, train.stars[rows])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
        print(f"epoch {epoch + 1}\ttrain {rmse(model, train):.4f}\ttest {rmse(model, test):.4f}", flush=True)


main()
