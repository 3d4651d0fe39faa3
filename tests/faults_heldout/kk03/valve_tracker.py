"""
Track the open/closed state of a valve from its control bus.

The bus carries a short pulse when the valve is told to open and another when it is
told to close; in between only sensor noise is visible.  Several lines are processed in
parallel, every line is one long recording that is cut into windows for truncated BPTT.
"""
import os
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn


def env(name, default, cast):
    return cast(os.environ.get(name, default))


@dataclass
class Settings:
    lines: int = 24
    steps: int = 1600
    window: int = 20
    hidden: int = 24
    epochs: int = field(default_factory=lambda: env("VALVE_EPOCHS", 8, int))
    lr: float = field(default_factory=lambda: env("VALVE_LR", 0.005, float))
    seed: int = 77


def record(lines, steps, rng):
    """Simulated recordings: (lines, steps, 4) inputs, (lines, steps) states."""
    x = rng.normal(0, 0.15, size=(lines, steps, 4)).astype(np.float32)
    y = np.zeros((lines, steps), dtype=np.float32)
    for i in range(lines):
        state, t = 0, 0
        while t < steps:
            hold = int(rng.exponential(70)) + 8
            y[i, t:t + hold] = state
            t += hold
            if t < steps:
                state = 1 - state
                x[i, t, state] += 1.0
    # temperature drift and supply voltage, unrelated to the state
    drift = np.sin(np.linspace(0, 9, steps))[None] + rng.normal(0, 0.05, (lines, steps))
    x[..., 2] += 0.5 * drift.astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(y)


class Tracker(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.inp = nn.Linear(n_in, hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def initial_state(self, batch):
        return torch.zeros(1, batch, self.hidden)

    def forward(self, x, h):
        z, h = self.rnn(torch.tanh(self.inp(x)), h)
        return self.out(z).squeeze(-1), h


def windows(x, y, size):
    for s in range(0, x.shape[1] - size + 1, size):
        yield x[:, s:s + size], y[:, s:s + size]


def run_recording(model, x, y, size, optimizer=None):
    """One pass over the recordings; trains when an optimizer is given."""
    criterion = nn.BCEWithLogitsLoss()
    losses, hits, count = [], 0, 0
    for xb, yb in windows(x, y, size):
        h = model.initial_state(len(xb))
        logits, h = model(xb, h)
        loss = criterion(logits, yb)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        h = h.detach()
        losses.append(loss.item())
        hits += ((logits > 0).float() == yb).sum().item()
        count += yb.numel()
    return float(np.mean(losses)), hits / count


def main():
    cfg = Settings()
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    x_train, y_train = record(cfg.lines, cfg.steps, rng)
    x_val, y_val = record(8, cfg.steps, rng)
    print(f"share open: train {y_train.mean().item():.2f}, val {y_val.mean().item():.2f}")

    model = Tracker(x_train.shape[-1], cfg.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg.epochs)

    best = 0.0
    for epoch in range(cfg.epochs):
        model.train()
        train_loss, train_acc = run_recording(model, x_train, y_train, cfg.window, optimizer)
        model.eval()
        with torch.no_grad():
            val_loss, val_acc = run_recording(model, x_val, y_val, cfg.window)
        scheduler.step()
        best = max(best, val_acc)
        print(f"epoch {epoch + 1}  train {train_loss:.4f}/{train_acc:.3f}  val {val_loss:.4f}/{val_acc:.3f}")
    print(f"best step accuracy {best:.3f}")


if __name__ == "__main__":
    main()
