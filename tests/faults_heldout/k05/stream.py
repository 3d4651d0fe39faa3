# Online quantile forecaster for a load meter: one reading at a time.
import numpy as np
import torch
from torch import nn

torch.manual_seed(8)
rng = np.random.default_rng(8)
TAUS = torch.tensor([0.1, 0.5, 0.9])


def readings(n):
    hour = rng.uniform(0, 24, n)
    temp = rng.normal(12, 7, n)
    weekend = rng.integers(0, 2, n)
    base = 3 + 1.5 * np.sin((hour - 8) / 24 * 2 * np.pi) + 0.06 * np.abs(temp - 16) - 0.5 * weekend
    spread = 0.2 + 0.4 * (np.sin((hour - 8) / 24 * 2 * np.pi) + 1) / 2
    load = base + spread * rng.normal(size=n)
    feats = np.stack([np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi), (temp - 12) / 7, weekend], 1)
    return torch.tensor(feats, dtype=torch.float32), torch.tensor(load, dtype=torch.float32)


x_hold, y_hold = readings(3000)
net = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.02)
N = 14000
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda t: 1.0 / (1.0 + t / 1500))


def pinball(q, y):
    d = y.unsqueeze(-1) - q
    return torch.maximum(TAUS * d, (TAUS - 1) * d).sum(-1).mean()


x, y = readings(N)
window = []
for t in range(N):
    loss = pinball(net(x[t:t + 1]), y[t:t + 1])
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    window.append(loss.item())
    if (t + 1) % 1000 == 0:
        with torch.no_grad():
            q = net(x_hold)
            h = pinball(q, y_hold).item()
            cover = ((y_hold >= q[:, 0]) & (y_hold <= q[:, 2])).float().mean().item()
        print("%6d readings  running pinball %.4f  holdout pinball %.4f  80%% band covers %.3f" % (t + 1, np.mean(window), h, cover))
        window = []
