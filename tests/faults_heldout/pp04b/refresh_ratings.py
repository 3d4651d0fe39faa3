"""Weekly refresh of the tasting-club recommender.

Starts from last season's factors and continues on the new season's ratings.
"""
from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn


@dataclass
class Settings:
    folder: Path = Path(__file__).resolve().parent
    ratings: str = "season.csv"
    weights: str = "last_season.pt"
    batch: int = 64
    epochs: int = 24
    lr: float = 1.2e-3
    seed: int = 21


class Factors(nn.Module):
    def __init__(self, members: int, wines: int, rank: int):
        super().__init__()
        self.member = nn.Embedding(members, rank)
        self.wine = nn.Embedding(wines, rank)
        self.member_bias = nn.Embedding(members, 1)
        self.wine_bias = nn.Embedding(wines, 1)
        self.base = nn.Parameter(torch.zeros(1))

    def forward(self, m: Tensor, w: Tensor) -> Tensor:
        inner = (self.member(m) * self.wine(w)).sum(-1)
        return self.base + inner + self.member_bias(m).squeeze(-1) + self.wine_bias(w).squeeze(-1)


def read_ratings(path: Path) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
    parts: dict[str, list] = {"fit": [], "check": []}
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            parts[row["part"]].append((int(row["member"]), int(row["wine"]), float(row["points"])))
    out = {}
    for name, rows in parts.items():
        m, w, r = zip(*rows)
        out[name] = (torch.tensor(m), torch.tensor(w), torch.tensor(r))
    return out


def build_from(path: Path) -> Factors:
    saved = torch.load(path, weights_only=True)
    members, rank = saved["member.weight"].shape
    wines = saved["wine.weight"].shape[0]
    model = Factors(members, wines, rank).to(saved["member.weight"].dtype)
    model.load_state_dict(saved)
    return model


@torch.no_grad()
def rmse(model: Factors, m: Tensor, w: Tensor, r: Tensor) -> float:
    model.eval()
    return (model(m, w).float() - r).square().mean().sqrt().item()


def main(cfg: Settings = Settings()) -> None:
    torch.manual_seed(cfg.seed)
    data = read_ratings(cfg.folder / cfg.ratings)
    model = build_from(cfg.folder / cfg.weights)
    fit_m, fit_w, fit_r = data["fit"]
    print(f"{len(fit_r)} ratings to fit, {len(data['check'][2])} to check")
    print(f"start      check rmse {rmse(model, *data['check']):.4f}")

    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        model.train()
        seen, total = 0, 0.0
        for idx in torch.randperm(len(fit_r)).split(cfg.batch):
            pred = model(fit_m[idx], fit_w[idx]).float()
            loss = nn.functional.mse_loss(pred, fit_r[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
            seen += len(idx)
        if epoch % 3 == 0 or epoch + 1 == cfg.epochs:
            print(f"epoch {epoch:2d}   fit rmse {(total / seen) ** 0.5:.4f}   check rmse {rmse(model, *data['check']):.4f}")


if __name__ == "__main__":
    main()
