# Hourly hires at the bike station: Poisson regression with a small MLP.
import csv
from pathlib import Path

import torch
from torch import nn

FEATURES = ["hour_sin", "hour_cos", "weekend", "temp", "humidity", "wind", "elapsed"]


def read(path):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    x = torch.tensor([[float(r[f]) for f in FEATURES] for r in rows])
    y = torch.tensor([float(r["hires"]) for r in rows])
    return x, y


def deviance(mu, y):
    ylogy = torch.where(y > 0, y * (y.clamp(min=1) / mu).log(), torch.zeros_like(y))
    return 2 * (ylogy - (y - mu)).mean()


x, y = read(Path(__file__).with_name("hires.csv"))
torch.manual_seed(8)
perm = torch.randperm(len(y))
test, fit = perm[:600], perm[600:]

net = nn.Sequential(nn.Linear(len(FEATURES), 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1), nn.Softplus())
nll = nn.PoissonNLLLoss(log_input=False)
opt = torch.optim.Adam(net.parameters(), lr=3e-3)

null = deviance(y[fit].mean().expand(len(test)), y[test]).item()
print(f"null deviance on test {null:.3f}")
for epoch in range(15):
    total = 0.0
    for b in fit[torch.randperm(len(fit))].split(64):
        rate = net(x[b]).squeeze(-1) + 1e-3
        loss = nll(rate, y[b])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        opt.step()
        total += loss.item() * len(b)
    with torch.no_grad():
        d = deviance(net(x[test]).squeeze(-1) + 1e-3, y[test]).item()
    print(f"epoch {epoch + 1}: nll {total / len(fit):.4f}  test deviance {d:.3f}")
