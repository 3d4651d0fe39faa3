"""Estimate the open/closed state of valves from a stream of noisy control pulses."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn


@dataclass
class Settings:
    streams: int = 48
    val_streams: int = 32
    length: int = 600
    chunk: int = 12
    hidden: int = 32
    lr: float = 5e-3
    epochs: int = 8
    seed: int = 17


def simulate(n, length, rng):
    """(time, stream, feature) pulses and (time, stream) valve state."""
    open_cmd = rng.random((length, n)) < 0.02
    close_cmd = (rng.random((length, n)) < 0.02) & ~open_cmd
    state = np.zeros((length, n), dtype=np.float32)
    current = (rng.random(n) < 0.5).astype(np.float32)
    open_cmd[0], close_cmd[0] = current > 0, current == 0
    for t in range(length):
        current = np.where(open_cmd[t], 1.0, np.where(close_cmd[t], 0.0, current))
        state[t] = current
    x = np.stack([open_cmd, close_cmd], axis=-1).astype(np.float32)
    x = x + rng.normal(0, 0.15, x.shape)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(state)


class Tracker(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        self.gru = nn.GRU(2, hidden)
        self.out = nn.Linear(hidden, 1)

    def initial_state(self, n):
        return torch.zeros(1, n, self.hidden)

    def forward(self, x, state):
        y, state = self.gru(x, state)
        return self.out(y).squeeze(-1), state


def run(model, x, y, chunk, optimizer=None):
    model.train(optimizer is not None)
    loss_fn = nn.BCEWithLogitsLoss()
    losses, correct = [], 0
    for start in range(0, x.size(0), chunk):
        state = model.initial_state(x.size(1))
        xc, yc = x[start : start + chunk], y[start : start + chunk]
        with torch.set_grad_enabled(optimizer is not None):
            logits, state = model(xc, state)
            loss = loss_fn(logits, yc)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        state = state.detach()
        losses.append(loss.item())
        correct += ((logits > 0) == (yc > 0.5)).sum().item()
    return float(np.mean(losses)), correct / y.numel()


def main():
    s = Settings()
    torch.manual_seed(s.seed)
    rng = np.random.default_rng(s.seed)
    x_tr, y_tr = simulate(s.streams, s.length, rng)
    x_va, y_va = simulate(s.val_streams, s.length, rng)
    model = Tracker(s.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=s.lr)
    for epoch in range(1, s.epochs + 1):
        tr = run(model, x_tr, y_tr, s.chunk, optimizer)
        va = run(model, x_va, y_va, s.chunk)
        print(f"epoch {epoch} | train loss {tr[0]:.4f} acc {tr[1]:.3f} | val loss {va[0]:.4f} acc {va[1]:.3f}")


if __name__ == "__main__":
    main()
