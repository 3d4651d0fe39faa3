"""Dead reckoning: estimate the displacement over a short window from raw IMU samples.

Each window is an independent walk segment (random start speed 0), 40 samples of
[acc_forward, acc_side, yaw_rate]; the target is the (x, y) offset at its end.
"""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    n_train: int = 2400
    n_valid: int = 600
    length: int = 40
    hidden: int = 48
    batch_size: int = 60
    epochs: int = 14
    lr: float = 3e-3
    seed: int = 12


def simulate_segments(n, length, rng):
    dt = 0.1
    acc = np.cumsum(rng.normal(0, 0.25, (n, length, 2)), axis=1)
    acc -= 0.6 * acc.mean(axis=1, keepdims=True)
    yaw_rate = rng.normal(0, 0.4, (n, 1)) + rng.normal(0, 0.1, (n, length))
    heading = np.cumsum(yaw_rate * dt, axis=1)
    c, s = np.cos(heading), np.sin(heading)
    ax = c * acc[..., 0] - s * acc[..., 1]
    ay = s * acc[..., 0] + c * acc[..., 1]
    vel = np.cumsum(np.stack([ax, ay], -1) * dt, axis=1)
    pos = np.cumsum(vel * dt, axis=1)
    sensors = np.concatenate([acc, yaw_rate[..., None]], axis=-1)
    sensors += rng.normal(0, 0.05, sensors.shape)
    return sensors.astype(np.float32), pos[:, -1].astype(np.float32)


class OdometryGRU(nn.Module):
    def __init__(self, n_inputs, hidden):
        super().__init__()
        self.gru = nn.GRU(n_inputs, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        self.state = None

    def forward(self, x):
        y, state = self.gru(x, self.state)
        self.state = state.detach()
        return self.out(y[:, -1])


def train_epoch(model, loader, optimizer, loss_fn):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def validate(model, loader, target_std):
    model.eval()
    se, err, var, n = 0.0, 0.0, 0.0, 0
    for x, y in loader:
        pred = model(x)
        se += (pred - y).pow(2).sum().item()
        var += y.pow(2).sum().item()
        err += ((pred - y) * target_std).norm(dim=1).sum().item()
        n += len(y)
    return se / (2 * n), err / n, 1 - se / var


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    x, y = simulate_segments(cfg.n_train + cfg.n_valid, cfg.length, rng)
    mu, sd = x[: cfg.n_train].mean((0, 1)), x[: cfg.n_train].std((0, 1))
    x = torch.from_numpy((x - mu) / sd)
    target_std = torch.from_numpy(y[: cfg.n_train].std(0))
    y = torch.from_numpy(y) / target_std

    train = DataLoader(
        TensorDataset(x[: cfg.n_train], y[: cfg.n_train]), cfg.batch_size, shuffle=True, drop_last=True
    )
    valid = DataLoader(TensorDataset(x[cfg.n_train:], y[cfg.n_train:]), cfg.batch_size, drop_last=True)

    model = OdometryGRU(x.shape[-1], cfg.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    loss_fn = nn.MSELoss()

    for epoch in range(1, cfg.epochs + 1):
        train_mse = train_epoch(model, train, optimizer, loss_fn)
        mse, metres, r2 = validate(model, valid, target_std)
        scheduler.step()
        print(f"epoch {epoch:2d}: train mse {train_mse:.4f}, valid mse {mse:.4f}, error {metres:.3f} m, R2 {r2:.3f}")


if __name__ == "__main__":
    main()
