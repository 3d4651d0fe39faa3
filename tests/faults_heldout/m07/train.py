# Quantile regression of delivery times (conditional 10/50/90 % quantiles)
import tomllib
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

cfg = tomllib.loads((Path(__file__).parent / "settings.toml").read_text())
D, M, T = cfg["data"], cfg["model"], cfg["train"]
torch.manual_seed(D["seed"])


def simulate(n, rng):
    dist = rng.gamma(3.0, 2.0, n)
    hour = rng.uniform(0, 24, n)
    rain = rng.random(n) < 0.3
    load = rng.beta(2, 4, n)
    rush = np.exp(-((hour - 8) / 1.5) ** 2) + np.exp(-((hour - 17.5) / 2.0) ** 2)
    mean = 4 + 2.0 * dist * (1 + 0.7 * rush) + 6 * load * rain
    spread = 1.0 + 0.25 * dist * (1 + rain)
    y = mean + spread * rng.gumbel(size=n)
    x = np.stack([dist, np.sin(hour * np.pi / 12), np.cos(hour * np.pi / 12), rain, load], 1)
    return x.astype("float32"), y.astype("float32")[:, None]


rng = np.random.default_rng(D["seed"])
x, y = simulate(D["rows"] + D["holdout"], rng)
n = D["rows"]
mx, sx, my, sy = x[:n].mean(0), x[:n].std(0), y[:n].mean(), y[:n].std()
x, y = torch.from_numpy((x - mx) / sx), torch.from_numpy((y - my) / sy)
xtr, ytr, xte, yte = x[:n], y[:n], x[n:], y[n:]

q = torch.tensor(M["quantiles"])


def pinball(pred, target):
    e = target - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


net = nn.Sequential(
    nn.Linear(x.shape[1], M["width"]), nn.SiLU(),
    nn.Linear(M["width"], M["width"]), nn.SiLU(),
    nn.Linear(M["width"], len(q)),
)
opt = torch.optim.AdamW(net.parameters(), lr=T["lr"], weight_decay=T["weight_decay"])

step = 0
for epoch in range(T["epochs"]):
    order = torch.randperm(n)
    for start in range(0, n, T["batch_size"]):
        idx = order[start:start + T["batch_size"]]
        loss = pinball(net(xtr[idx]), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
    if epoch % 5 == 4:
        with torch.no_grad():
            p = net(xte)
            cover = ((yte > p[:, :1]) & (yte < p[:, 2:])).float().mean()
            print(f"epoch {epoch + 1} step {step} train {loss.item():.4f} holdout {pinball(p, yte):.4f} "
                  f"MAE(min) {(p[:, 1:2] - yte).abs().mean() * float(sy):.2f} cover80 {cover:.2f}")
