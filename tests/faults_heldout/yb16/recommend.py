"""Matrix factorisation for board-game ratings with user and game biases."""
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent


class Factorizer(nn.Module):
    def __init__(self, n_users, n_games, n_factors, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, n_factors)
        self.game = nn.Embedding(n_games, n_factors)
        self.user_bias = nn.Embedding(n_users, 1)
        self.game_bias = nn.Embedding(n_games, 1)
        self.register_buffer("mean", torch.tensor(mean))
        nn.init.normal_(self.user.weight, std=0.3)
        nn.init.normal_(self.game.weight, std=0.3)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.game_bias.weight)

    def forward(self, u, g):
        dot = (self.user(u) * self.game(g)).sum(-1)
        return self.mean + self.user_bias(u).squeeze(-1) + self.game_bias(g).squeeze(-1) + dot


def load_ratings(path):
    with np.load(path) as z:
        u, g, r = z["user"].astype(np.int64), z["game"].astype(np.int64), z["rating"].astype(np.float32)
        held_out = z["held_out"].astype(bool)
    tensors = [torch.from_numpy(a) for a in (u, g, r)]
    mask = torch.from_numpy(held_out)
    train = [t[~mask] for t in tensors]
    test = [t[mask] for t in tensors]
    return train, test, int(u.max()) + 1, int(g.max()) + 1


@torch.no_grad()
def rmse(model, split):
    u, g, r = split
    return (model(u, g) - r).pow(2).mean().sqrt().item()


def main():
    cfg = json.loads((HERE / "settings.json").read_text())
    torch.manual_seed(cfg["seed"])
    train, test, n_users, n_games = load_ratings(HERE / cfg["ratings"])
    model = Factorizer(n_users, n_games, cfg["n_factors"], float(train[2].mean()))
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"], weight_decay=cfg["l2"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    print(f"{n_users} users, {n_games} games, {len(train[0])} train / {len(test[0])} test ratings, "
          f"rating std {train[2].std():.3f}")

    for epoch in range(1, cfg["epochs"] + 1):
        for idx in torch.randperm(len(train[0])).split(cfg["batch_size"]):
            u, g, r = (t[idx] for t in train)
            loss = nn.functional.mse_loss(model(u, g), r)
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        print(f"epoch {epoch:2d}  train rmse {rmse(model, train):.4f}  test rmse {rmse(model, test):.4f}")

    ss = (test[2] - test[2].mean()).pow(2).mean().item()
    print(f"test explained variance {1 - rmse(model, test) ** 2 / ss:.3f}")


if __name__ == "__main__":
    main()
