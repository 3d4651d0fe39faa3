import argparse
import json
from dataclasses import dataclass, field, fields
from pathlib import Path

import torch
import torch.nn.functional as F

from reco.model import TwoTower
from reco.ratings import batches, load

ROOT = Path(__file__).parent


@dataclass
class Settings:
    dim: int = 8
    epochs: int = 15
    batch: int = 32
    holdout: float = 0.2
    seed: int = 1
    optimizer: str = "SGD"
    optimizer_args: dict = field(default_factory=dict)

    @classmethod
    def read(cls, path):
        raw = json.loads(Path(path).read_text())
        known = {f.name for f in fields(cls)}
        unknown = set(raw) - known
        if unknown:
            raise SystemExit(f"unknown settings: {sorted(unknown)}")
        return cls(**raw)


def rmse(model, triple):
    model.eval()
    with torch.no_grad():
        u, b, s = triple
        return F.mse_loss(model(u, b), s).sqrt().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--settings", default="settings.json")
    p.add_argument("--seed", type=int)
    a = p.parse_args()
    cfg = Settings.read(ROOT / a.settings)
    if a.seed is not None:
        cfg.seed = a.seed
    torch.manual_seed(cfg.seed)

    train, test = load(ROOT / "ratings.npz", cfg.holdout, cfg.seed)
    n_users = int(max(train[0].max(), test[0].max())) + 1
    n_books = int(max(train[1].max(), test[1].max())) + 1
    model = TwoTower(n_users, n_books, cfg.dim, train[2].mean().item())
    opt = getattr(torch.optim, cfg.optimizer)(model.parameters(), **cfg.optimizer_args)
    print(f"{n_users} readers, {n_books} books, {len(train[0])} ratings; mean-only rmse {test[2].std().item():.3f}")

    for epoch in range(1, cfg.epochs + 1):
        model.train()
        se = 0.0
        for u, b, s in batches(train, cfg.batch):
            loss = F.mse_loss(model(u, b), s)
            opt.zero_grad()
            loss.backward()
            opt.step()
            se += loss.item() * len(s)
        print(f"[{epoch:2d}] train rmse {(se / len(train[0])) ** 0.5:.4f}  test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    main()
