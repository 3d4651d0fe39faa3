"""Predict total sediment discharge of a river from a season of daily rainfall and temperature."""
import numpy as np
import torch
import torch.nn as nn

SEED = 8
DAYS = 90
HIDDEN = 40
BATCH = 40
EPOCHS = 20
LR = 2e-3


def simulate(n, rng):
    rain = rng.gamma(0.4, 6.0, (n, DAYS)) * (rng.random((n, DAYS)) < 0.45)
    temp = 9 + 8 * np.sin(np.linspace(0, np.pi, DAYS))[None] + rng.normal(0, 2.5, (n, DAYS))
    snow = np.full(n, 30.0)
    soil = np.full(n, 20.0)
    out = np.zeros(n)
    for d in range(DAYS):
        melt = np.minimum(snow, 0.25 * np.maximum(temp[:, d] - 8, 0))
        snow = snow - melt
        soil = 0.93 * soil + rain[:, d] + melt
        out += 0.02 * np.maximum(soil - 25, 0) ** 1.3
    x = np.stack([rain, temp], -1).astype(np.float32)
    return x, np.log1p(out).astype(np.float32)


class StoreCell(nn.Module):
    """One day of a water-store model: the inflow is added to what the stores already hold."""

    def __init__(self, n_in, hidden):
        super().__init__()
        self.inflow = nn.Linear(n_in + hidden, hidden)

    def forward(self, u, stores):
        return stores + torch.relu(self.inflow(torch.cat([u, stores], dim=1)))


class RiverNet(nn.Module):
    def __init__(self, n_in=2, hidden=HIDDEN):
        super().__init__()
        self.hidden = hidden
        self.cell = StoreCell(n_in, hidden)
        self.out = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        stores = x.new_zeros(x.size(0), self.hidden)
        for day in range(x.size(1)):
            stores = self.cell(x[:, day], stores)
        return self.out(stores).squeeze(1)


def main():
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    X, y = simulate(1200, rng)
    X = (X - X[:1000].mean((0, 1))) / X[:1000].std((0, 1))
    y = (y - y[:1000].mean()) / y[:1000].std()
    X, y = torch.from_numpy(X), torch.from_numpy(y)
    X_tr, y_tr, X_va, y_va = X[:1000], y[:1000], X[1000:], y[1000:]

    net = RiverNet()
    opt = torch.optim.Adam(net.parameters(), lr=LR)
    loss_fn = nn.SmoothL1Loss()
    for epoch in range(1, EPOCHS + 1):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(X_tr)).split(BATCH):
            opt.zero_grad()
            loss = loss_fn(net(X_tr[idx]), y_tr[idx])
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            pred = net(X_va)
            val = loss_fn(pred, y_va).item()
            r2 = 1 - ((pred - y_va) ** 2).mean().item() / y_va.var().item()
        print(f"epoch {epoch:2d}  train {total / len(X_tr):.4g}  val {val:.4g}  r2 {r2:.3g}")


if __name__ == "__main__":
    main()
