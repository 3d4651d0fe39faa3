"""Disease progression (diabetes data) in raw units, with one patient per update, as the clinic streams them."""
import random

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes


class ScaledRegressor(nn.Module):
    """Works on standardised inputs inside; input and output are in the units of the file."""

    def __init__(self, x, y, hidden=16):
        super().__init__()
        self.register_buffer("mx", x.mean(0))
        self.register_buffer("sx", x.std(0))
        self.register_buffer("my", y.mean())
        self.register_buffer("sy", y.std())
        self.body = nn.Sequential(nn.Linear(x.shape[1], hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.my + self.sy * self.body((x - self.mx) / self.sx).squeeze(-1)


def rmse(net, x, y):
    with torch.no_grad():
        return (net(x) - y).pow(2).mean().sqrt().item()


def main():
    torch.manual_seed(19)
    random.seed(19)
    data = load_diabetes(scaled=False)
    x = torch.tensor(data.data, dtype=torch.float32)
    y = torch.tensor(data.target, dtype=torch.float32)
    perm = np.random.default_rng(19).permutation(len(x))
    tr, te = perm[:340], perm[340:]

    net = ScaledRegressor(x[tr], y[tr])
    # squared error is in units^2 (thousands), so the step for plain SGD is small
    opt = torch.optim.SGD(net.parameters(), lr=5e-7)
    base = (y[te] - y[tr].mean()).pow(2).mean().sqrt().item()
    print(f"mean predictor: rmse {base:.1f}")
    for epoch in range(12):
        order = list(tr)
        random.shuffle(order)
        total = 0.0
        for k in order:
            loss = (net(x[k:k + 1]) - y[k:k + 1]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} mean squared error {total / len(order):.0f}  held-out rmse {rmse(net, x[te], y[te]):.2f}")


if __name__ == "__main__":
    main()
