"""Price bands (10 / 50 / 90 %) for house sales. All losses are printed in dollars."""
import csv
import json
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

with open("settings.json") as f:
    S = json.load(f)


def read_table():
    with open(S["csv"]) as f:
        rows = list(csv.DictReader(f))
    names = [c for c in rows[0] if c != S["target"]]
    feat = [[math.log(float(r[c])) if c in S["log_columns"] else float(r[c]) for c in names] for r in rows]
    return names, torch.tensor(feat), torch.tensor([float(r[S["target"]]) for r in rows])


class Bands(nn.Module):
    def __init__(self, x, y):
        super().__init__()
        self.register_buffer("x_mean", x.mean(0))
        self.register_buffer("x_std", x.std(0))
        self.register_buffer("y_mean", y.mean())
        self.register_buffer("y_std", y.std())
        sizes = [x.shape[1]] + S["hidden"]
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.GELU()]
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(sizes[-1], len(S["quantiles"]))

    def forward(self, x):
        h = self.body((x - self.x_mean) / self.x_std)
        return self.y_mean + self.y_std * self.head(h)


def pinball(pred, y):
    q = torch.tensor(S["quantiles"])
    e = y[:, None] - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


def main():
    torch.manual_seed(S["seed"])
    names, x, y = read_table()
    order = torch.randperm(len(x))
    tr, te = order[800:], order[:800]
    model = Bands(x[tr], y[tr])
    loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=S["batch_size"], shuffle=True, drop_last=True)
    opt = torch.optim.Adam(model.parameters(), **S["optimizer"])
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [25, 35, 40], gamma=0.3)
    const = torch.quantile(y[tr], torch.tensor(S["quantiles"])).expand(len(te), -1)
    print("features:", ", ".join(names))
    print(f"constant bands: {pinball(const, y[te]):.0f}")
    for ep in range(1, S["epochs"] + 1):
        model.train()
        acc = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = pinball(model(xb), yb)
            loss.backward()
            opt.step()
            acc += loss.item()
        sched.step()
        if ep % 5 == 0:
            model.eval()
            with torch.no_grad():
                p = model(x[te])
                inside = ((y[te] > p[:, 0]) & (y[te] < p[:, 2])).float().mean()
                mid = (p[:, 1] - y[te]).abs().median()
            print(f"ep {ep:2d} train ${acc / len(loader):,.0f} test ${pinball(p, y[te]):,.0f} "
                  f"median error ${mid:,.0f} inside 80% band: {inside:.3f}")


main()
