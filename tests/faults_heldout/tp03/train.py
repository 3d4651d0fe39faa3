import json
import pathlib

import numpy as np
import torch
import torch.nn as nn

from reactor import TARGETS, simulate

cfg = json.loads((pathlib.Path(__file__).parent / "config.json").read_text())


class Scaler:
    def __init__(self, a):
        self.mean, self.std = a.mean(0), a.std(0)

    def __call__(self, a):
        return torch.from_numpy((a - self.mean) / self.std)

    def back(self, t):
        return t.numpy() * self.std + self.mean


class QualityNet(nn.Module):
    def __init__(self, n_in, n_out, hidden):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.head = nn.Linear(hidden, n_out)

    def forward(self, x):
        return self.head(self.trunk(x))


def sgd(params, velocity, lr, momentum, wd):
    with torch.no_grad():
        for p, v in zip(params, velocity):
            v.mul_(momentum).add_(p.grad + wd * p)
            p -= lr * v
            p.grad = None


def report(model, x, y, sx, sy):
    with torch.no_grad():
        pred = sy.back(model(sx(x)))
    return 1 - ((pred - y) ** 2).sum(0) / ((y - y.mean(0)) ** 2).sum(0), np.sqrt(((pred - y) ** 2).mean(0))


torch.manual_seed(cfg["seed"])
x, y = simulate(cfg["rows"], cfg["seed"])
n = int(0.8 * len(x))
xtr, ytr, xva, yva = x[:n], y[:n], x[n:], y[n:]
sx, sy = Scaler(xtr), Scaler(ytr)
xt, yt = sx(xtr), sy(ytr)

model = QualityNet(x.shape[1], y.shape[1], cfg["hidden"])
params = list(model.parameters())
velocity = [torch.zeros_like(p) for p in params]
bs = cfg["batch_size"]
total_steps = cfg["epochs"] * (n // bs)
step = 0
for epoch in range(cfg["epochs"]):
    order = torch.randperm(n)
    parts = np.zeros(len(TARGETS))
    for i in range(n // bs):
        idx = order[i * bs:(i + 1) * bs]
        per_output = ((model(xt[idx]) - yt[idx]) ** 2).mean(0)
        loss = per_output.mean()
        loss.backward()
        lr = cfg["lr"] * 0.5 * (1 + np.cos(np.pi * step / total_steps))
        sgd(params, velocity, lr, cfg["momentum"], cfg["weight_decay"])
        step += 1
        parts += per_output.detach().numpy()
    parts /= n // bs
    if epoch % 3 == 2:
        r2, _ = report(model, xva, yva, sx, sy)
        print(f"[{epoch + 1:02d}] mse {parts.mean():.3f} ({' '.join(f'{p:.3f}' for p in parts)})  "
              f"val r2 {' '.join(f'{v:.2f}' for v in r2)}")

r2t, _ = report(model, xtr, ytr, sx, sy)
r2v, rm = report(model, xva, yva, sx, sy)
print(f"{'target':16s} {'r2 train':>9s} {'r2 val':>7s} {'rmse val':>9s}")
for t, a, b, c in zip(TARGETS, r2t, r2v, rm):
    print(f"{t:16s} {a:9.3f} {b:7.3f} {c:9.3f}")
