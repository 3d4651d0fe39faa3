"""Biased matrix factorisation for star ratings."""
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

ROOT = Path(__file__).resolve().parent


@dataclass
class Ratings:
    user: Tensor
    item: Tensor
    stars: Tensor

    def __len__(self):
        return len(self.stars)

    def take(self, rows):
        return Ratings(self.user[rows], self.item[rows], self.stars[rows])

    @classmethod
    def read(cls, path):
        table = np.loadtxt(path, delimiter=",", skiprows=1)
        return cls(
            torch.tensor(table[:, 0]).long(),
            torch.tensor(table[:, 1]).long(),
            torch.tensor(table[:, 2]).float(),
        )


class Factoriser(nn.Module):
    def __init__(self, n_users, n_items, factors, init_std, offset):
        super().__init__()
        self.user_vec = nn.Embedding(n_users, factors)
        self.item_vec = nn.Embedding(n_items, factors)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.register_buffer("offset", offset)
        nn.init.normal_(self.user_vec.weight, std=init_std)
        nn.init.normal_(self.item_vec.weight, std=init_std)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, user, item):
        p, q = self.user_vec(user), self.item_vec(item)
        bias = self.user_bias(user) + self.item_bias(item)
        penalty = p.pow(2).sum(1).mean() + q.pow(2).sum(1).mean()
        return self.offset + bias.squeeze(1) + (p * q).sum(1), penalty


@torch.no_grad()
def rmse(model, ratings):
    model.eval()
    predicted, _ = model(ratings.user, ratings.item)
    return (predicted.clamp(0.5, 5.0) - ratings.stars).pow(2).mean().sqrt().item()


def main():
    with open(ROOT / "config.toml", "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["seed"])

    ratings = Ratings.read(ROOT / cfg["data"]["ratings"])
    order = torch.randperm(len(ratings))
    n_test = int(cfg["data"]["test_share"] * len(ratings))
    test, train = ratings.take(order[:n_test]), ratings.take(order[n_test:])

    model = Factoriser(
        int(ratings.user.max()) + 1, int(ratings.item.max()) + 1, offset=train.stars.mean(), **cfg["model"]
    )
    optimizer = torch.optim.Adam(model.parameters(), **cfg["adam"])
    loop = cfg["loop"]
    spread = (test.stars - train.stars.mean()).pow(2).mean().sqrt().item()
    print(f"{len(train)} train / {len(test)} test ratings, global-mean RMSE {spread:.3f}")

    for epoch in range(loop["epochs"]):
        model.train()
        squared = 0.0
        for rows in torch.randperm(len(train)).split(loop["batch_size"]):
            batch = train.take(rows)
            predicted, penalty = model(batch.user, batch.item)
            error = (predicted - batch.stars).pow(2)
            loss = error.mean() + loop["l2"] * penalty
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            squared += error.sum().item()
        print(
            f"epoch {epoch:2d}: train RMSE {(squared / len(train)) ** 0.5:.4f}, test RMSE {rmse(model, test):.4f}"
        )


if __name__ == "__main__":
    main()
