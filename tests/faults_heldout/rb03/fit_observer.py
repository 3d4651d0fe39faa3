"""Predict valve flow from the command signal.

Recordings are long, so we cut them into consecutive windows and carry the GRU
state from one window to the next (truncated backprop through time). Row i of
every window belongs to recording i.
"""
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

from model import ValveObserver

HERE = Path(__file__).parent
opts = json.loads((HERE / "options.json").read_text())


def load():
    f = np.load(HERE / "valve_runs.npz")
    u = torch.from_numpy(f["command"].astype(np.float32) / 1000).unsqueeze(-1)
    y = torch.from_numpy(f["flow"].astype(np.float32) / 1000).unsqueeze(-1)
    n = opts["train_recordings"]
    mu_u, sd_u = u[:n].mean(), u[:n].std()
    mu_y, sd_y = y[:n].mean(), y[:n].std()
    u, y = (u - mu_u) / sd_u, (y - mu_y) / sd_y
    return (u[:n], y[:n]), (u[n:], y[n:])


def windows(u, y, size):
    for start in range(0, u.shape[1], size):
        yield u[:, start:start + size], y[:, start:start + size]


def validate(model, u, y):
    model.eval()
    with torch.no_grad():
        pred, _ = model(u)
    return nn.functional.mse_loss(pred, y).item()


def run():
    torch.manual_seed(opts["seed"])
    (u_tr, y_tr), (u_va, y_va) = load()
    model = ValveObserver(opts["hidden"])
    optim = torch.optim.Adam(model.parameters(), lr=opts["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, opts["epochs"], eta_min=opts["lr"] / 50)

    for epoch in range(opts["epochs"]):
        model.train()
        perm = torch.randperm(len(u_tr))
        losses = []
        for rows in perm.chunk(2):
            state = None
            for ub, yb in windows(u_tr[rows], y_tr[rows], opts["window"]):
                pred, state = model(ub, state)
                loss = nn.functional.mse_loss(pred, yb)
                optim.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optim.step()
                state = state.detach()
                losses.append(loss.item())
        sched.step()
        print(f"[{epoch + 1:02d}] train {np.mean(losses):.4f}  val {validate(model, u_va, y_va):.4f}")

    print(f"variance explained on unseen recordings: {1 - validate(model, u_va, y_va) / y_va.var().item():.3f}")
    print(f"train recordings replayed: {validate(model, u_tr, y_tr):.4f}")


if __name__ == "__main__":
    run()
