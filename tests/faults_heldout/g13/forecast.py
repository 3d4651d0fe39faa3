"""Day-ahead load forecast with an LSTM and three quantiles."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass(frozen=True)
class Setup:
    history: int = 48
    horizon: int = 6
    hidden: int = 40
    quantiles: tuple = (0.1, 0.5, 0.9)
    lr: float = 3e-3
    batch: int = 64
    epochs: int = 7


def simulate_load(hours=2600, seed=21):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    noise = np.zeros(hours)
    for k in range(1, hours):
        noise[k] = 0.8 * noise[k - 1] + rng.normal(0, 9)
    day = 120 * np.sin(2 * np.pi * (t - 7) / 24) + 40 * np.sin(4 * np.pi * t / 24)
    week = np.where((t // 24) % 7 >= 5, -70, 0)
    return (900 + day + week + noise).astype(np.float32)


def windows(series, clock, setup, begin, end):
    """Histories and futures whose whole future lies in [begin, end)."""
    xs, ys = [], []
    for s in range(begin, end - setup.horizon + 1):
        if s < setup.history:
            continue
        past = slice(s - setup.history, s)
        xs.append(np.concatenate([series[past, None], clock[past]], axis=1))
        ys.append(series[s:s + setup.horizon])
    return torch.tensor(np.stack(xs)), torch.tensor(np.stack(ys))


class Forecaster(nn.Module):
    def __init__(self, n_in, setup):
        super().__init__()
        self.lstm = nn.LSTM(n_in, setup.hidden, batch_first=True)
        self.head = nn.Linear(setup.hidden, setup.horizon * len(setup.quantiles))
        self.shape = (setup.horizon, len(setup.quantiles))

    def forward(self, x):
        _, (h, _) = self.lstm(x)
        return self.head(h[-1]).unflatten(1, self.shape)


def pinball(pred, target, q):
    e = target.unsqueeze(-1) - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


def main(setup=Setup()):
    torch.manual_seed(8)
    load = simulate_load()
    split = int(0.8 * len(load))
    mu, sd = load[:split].mean(), load[:split].std()
    z = (load - mu) / sd
    t = np.arange(len(load))
    clock = np.stack([np.sin(2 * np.pi * t / 24), np.cos(2 * np.pi * t / 24), ((t // 24) % 7 >= 5)], 1).astype(np.float32)
    xtr, ytr = windows(z, clock, setup, 0, split)
    xte, yte = windows(z, clock, setup, split, len(z))

    q = torch.tensor(setup.quantiles)
    model = Forecaster(xtr.shape[2], setup)
    opt = torch.optim.Adam(model.parameters(), lr=setup.lr)
    last = xte[:, -1:, 0]
    naive = (yte - last).abs().mean().item() * sd
    print(f"{len(xtr)} training windows, {len(xte)} test windows, persistence MAE {naive:.1f} MW")
    for epoch in range(setup.epochs):
        model.train()
        losses = []
        for idx in torch.randperm(len(xtr)).split(setup.batch):
            opt.zero_grad()
            loss = pinball(model(xtr[idx]), ytr[idx], q)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            p = model(xte)
            test = pinball(p, yte, q).item()
            mae = (p[..., 1] - yte).abs().mean().item() * sd
            cover = ((yte >= p[..., 0]) & (yte <= p[..., 2])).float().mean().item()
        print(f"epoch {epoch} pinball {np.mean(losses):.4f} test {test:.4f} MAE {mae:.1f} MW coverage(80%) {cover:.2f}")


if __name__ == "__main__":
    main()
