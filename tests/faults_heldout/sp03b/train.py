"""Neural Cox model: predicts the relative hazard of death from baseline measurements."""
from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

BASE = Path(__file__).resolve().parent


@dataclass
class Config:
    train_file: str = "cohort.csv"
    valid_file: str = "followup_b.csv"
    hidden: int = 32
    lr: float = 1e-3
    steps: int = 1200
    batch: int = 256
    report_every: int = 60
    seed: int = 5


@dataclass
class Cohort:
    x: torch.Tensor
    months: torch.Tensor
    event: torch.Tensor

    @classmethod
    def read(cls, path: Path) -> "Cohort":
        with open(path, newline="") as fh:
            rows = [[float(v) for v in row] for row in list(csv.reader(fh))[1:]]
        table = torch.tensor(rows, dtype=torch.float32)
        return cls(table[:, :-2].clone(), table[:, -2].clone(), table[:, -1].clone())

    def take(self, idx: torch.Tensor) -> "Cohort":
        return Cohort(self.x[idx], self.months[idx], self.event[idx])

    def __len__(self) -> int:
        return len(self.months)


def cox_loss(risk: torch.Tensor, months: torch.Tensor, event: torch.Tensor) -> torch.Tensor:
    """Negative Breslow partial log-likelihood per event; the risk set is the mini-batch."""
    order = torch.argsort(months, descending=True)
    risk, event = risk[order], event[order]
    log_denominator = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_denominator) * event).sum() / event.sum().clamp(min=1)


def concordance(risk: np.ndarray, months: np.ndarray, event: np.ndarray) -> float:
    good = pairs = 0.0
    for i in np.flatnonzero(event):
        later = months > months[i]
        pairs += later.sum()
        good += (risk[i] > risk[later]).sum() + 0.5 * (risk[i] == risk[later]).sum()
    return good / pairs


class RiskNet(nn.Module):
    def __init__(self, n_in: int, hidden: int):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
        )
        self.risk = nn.Linear(hidden, 1, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.risk(self.body(x)).squeeze(1)


def main(cfg: Config) -> None:
    torch.manual_seed(cfg.seed)
    train, valid = Cohort.read(BASE / cfg.train_file), Cohort.read(BASE / cfg.valid_file)
    mu, sd = train.x.mean(0), train.x.std(0)
    train.x, valid.x = (train.x - mu) / sd, (valid.x - mu) / sd
    print(f"{len(train)} patients in training, {int(train.event.sum())} events; "
          f"{len(valid)} in validation, {int(valid.event.sum())} events")

    net = RiskNet(train.x.shape[1], cfg.hidden)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=1e-3)
    sums = []
    for step in range(1, cfg.steps + 1):
        net.train()
        batch = train.take(torch.randperm(len(train))[:cfg.batch])
        opt.zero_grad()
        loss = cox_loss(net(batch.x), batch.months, batch.event)
        loss.backward()
        opt.step()
        sums.append(loss.item())
        if step % cfg.report_every == 0:
            net.eval()
            with torch.no_grad():
                r_train, r_valid = net(train.x), net(valid.x)
                v_loss = cox_loss(r_valid, valid.months, valid.event).item()
            c_train = concordance(r_train.numpy(), train.months.numpy(), train.event.numpy())
            c_valid = concordance(r_valid.numpy(), valid.months.numpy(), valid.event.numpy())
            print(f"step {step:5d}  loss {np.mean(sums):.4f}  valid loss {v_loss:.4f}  "
                  f"C-index train {c_train:.3f}  valid {c_valid:.3f}")
            sums.clear()


if __name__ == "__main__":
    main(Config())
