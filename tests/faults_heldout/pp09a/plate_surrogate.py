"""Surrogate for the heated-plate solver.

solver_runs.npz   inputs  [N, 3]  (x, y, time), all scaled to [-1, 1]
                  field   [N]     temperature rise over ambient, K
start.pt          starting weights shared by everybody in the group, so runs can be compared
"""
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

DIR = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Plan:
    runs: str = "solver_runs.npz"
    start: str = "start.pt"
    width: int = 48
    epochs: int = 120
    batch: int = 100
    peak_lr: float = 5e-3
    holdout: float = 0.2
    seed: int = 314


class Surrogate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.l1 = nn.Linear(3, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)

    def forward(self, p):
        h = torch.tanh(self.l1(p))
        h = torch.tanh(self.l2(h))
        return self.l3(h).squeeze(-1)


def prepare(plan):
    with np.load(DIR / plan.runs) as z:
        points = torch.tensor(z["inputs"], dtype=torch.float32)
        field = torch.tensor(z["field"], dtype=torch.float32)
    g = torch.Generator().manual_seed(plan.seed)
    order = torch.randperm(len(field), generator=g)
    n_hold = int(plan.holdout * len(field))
    hold, fit = order[:n_hold], order[n_hold:]
    shift, scale = field[fit].mean(), field[fit].std()
    target = (field - shift) / scale
    return (points[fit], target[fit]), (points[hold], target[hold]), scale.item()


def fit(model, fit_set, hold_set, scale, plan):
    p, t = fit_set
    per_epoch = -(-len(t) // plan.batch)
    opt = torch.optim.Adam(model.parameters(), lr=plan.peak_lr)
    cycle = torch.optim.lr_scheduler.OneCycleLR(opt, plan.peak_lr, total_steps=per_epoch * plan.epochs)
    began = time.perf_counter()
    for epoch in range(plan.epochs):
        running = 0.0
        for idx in torch.randperm(len(t)).split(plan.batch):
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(p[idx]), t[idx])
            loss.backward()
            opt.step()
            cycle.step()
            running += loss.item() * len(idx)
        if epoch % 20 == 19:
            with torch.no_grad():
                mse = nn.functional.mse_loss(model(hold_set[0]), hold_set[1]).item()
            print(json.dumps({"epoch": epoch + 1, "fit_mse": round(running / len(t), 5), "hold_mse": round(mse, 5),
                              "hold_rmse_K": round(mse ** 0.5 * scale, 3), "s": round(time.perf_counter() - began, 1)}))
    return mse


def main():
    plan = Plan()
    print(json.dumps(asdict(plan)), file=sys.stderr)
    torch.manual_seed(plan.seed)
    fit_set, hold_set, scale = prepare(plan)
    model = Surrogate(plan.width)
    model.load_state_dict(torch.load(DIR / plan.start, weights_only=True))
    mse = fit(model, fit_set, hold_set, scale, plan)
    print(f"explained variance on held-out points: {1 - mse / hold_set[1].var().item():.4f}")


if __name__ == "__main__":
    main()
