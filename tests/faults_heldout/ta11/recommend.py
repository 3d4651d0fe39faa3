"""Rating model for the board-game club (matrix factorisation with biases)."""
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn


@dataclass(frozen=True)
class Settings:
    ratings: Path = Path(__file__).parent / "ratings.npz"
    rank: int = 12
    lr: float = 0.01
    batch_size: int = 256
    epochs: int = 15
    l2: float = 1e-5
    seed: int = 31


class RatingModel(nn.Module):
    def __init__(self, n_users: int, n_games: int, rank: int, mean: float):
        super().__init__()
        self.user = nn.Embedding(n_users, rank)
        self.game = nn.Embedding(n_games, rank)
        self.user_bias = nn.Embedding(n_users, 1)
        self.game_bias = nn.Embedding(n_games, 1)
        self.register_buffer("mean", torch.tensor(mean))
        self.reset_parameters()

    def reset_parameters(self):
        for table in (self.user, self.game, self.user_bias, self.game_bias):
            nn.init.zeros_(table.weight)

    def forward(self, u, g):
        taste = (self.user(u) * self.game(g)).sum(-1)
        return self.mean + self.user_bias(u).squeeze(-1) + self.game_bias(g).squeeze(-1) + taste


def split(blob, rng, frac=0.15):
    n = len(blob["rating"])
    perm = rng.permutation(n)
    cut = int(n * frac)
    pack = lambda ix: tuple(torch.from_numpy(blob[k][ix]) for k in ("user", "game", "rating"))
    return pack(perm[cut:]), pack(perm[:cut])


def rmse(model, data):
    with torch.no_grad():
        return (model(data[0], data[1]) - data[2]).pow(2).mean().sqrt().item()


def run(s: Settings):
    torch.manual_seed(s.seed)
    rng = np.random.default_rng(s.seed)
    raw = np.load(s.ratings)
    blob = {"user": raw["user"].astype(np.int64), "game": raw["game"].astype(np.int64), "rating": raw["rating"].astype(np.float32)}
    train, test = split(blob, rng)
    model = RatingModel(int(blob["user"].max()) + 1, int(blob["game"].max()) + 1, s.rank, float(train[2].mean()))
    opt = torch.optim.Adam(model.parameters(), lr=s.lr, weight_decay=s.l2)
    print(f"{len(train[2])} ratings, std {train[2].std():.3f}")
    for epoch in range(s.epochs):
        order = torch.from_numpy(rng.permutation(len(train[2])))
        for ix in order.split(s.batch_size):
            u, g, r = (t[ix] for t in train)
            loss = nn.functional.mse_loss(model(u, g), r)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch + 1:2d}: train rmse {rmse(model, train):.4f}, test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    run(Settings())
