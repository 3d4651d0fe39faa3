"""Recurrent nowcaster: next-day river level from the last three weeks of level and rainfall."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DAYS, WINDOW, HIDDEN = 2600, 21, 32
EPOCHS, BATCH, LR = 14, 64, 4e-3
torch.manual_seed(12)


def river(days, rng):
    rain = rng.gamma(0.35, 9.0, days) * (1 + 0.6 * np.sin(2 * np.pi * np.arange(days) / 365))
    soil = level = 0.0
    out = np.empty(days)
    for d in range(days):
        soil = 0.93 * soil + rain[d]
        level = 0.72 * level + 0.03 * max(0.0, soil - 25.0) + 0.01 * rain[d]
        out[d] = 1.2 + level + rng.normal(0, 0.05)
    return rain, out


def windows(rain, level):
    feats = np.stack([rain, level], axis=1)
    x = np.stack([feats[i:i + WINDOW] for i in range(len(level) - WINDOW)])
    return torch.tensor(x, dtype=torch.float32), torch.tensor(level[WINDOW:], dtype=torch.float32)


def zscore(a, cut):
    return (a - a[:cut].mean()) / a[:cut].std()


class Nowcaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(2, HIDDEN, batch_first=True)
        self.readout = nn.Sequential(nn.Linear(HIDDEN, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())

    def forward(self, x):
        _, (h, _) = self.rnn(x)
        return self.readout(h[-1]).squeeze(-1)


rain, level = river(DAYS, np.random.default_rng(12))
cut = int(0.75 * DAYS)
x, y = windows(zscore(np.log1p(rain), cut), zscore(level, cut))
train = TensorDataset(x[:cut - WINDOW], y[:cut - WINDOW])
test_x, test_y = x[cut:], y[cut:]

net = Nowcaster()
optim = torch.optim.Adamax(net.parameters(), lr=LR)
mse = nn.MSELoss()

for epoch in range(EPOCHS):
    net.train()
    total = 0.0
    for xb, yb in DataLoader(train, BATCH, shuffle=True):
        optim.zero_grad()
        loss = mse(net(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optim.step()
        total += loss.item() * len(xb)
    net.eval()
    with torch.no_grad():
        err = mse(net(test_x), test_y).item()
    nse = 1 - err / test_y.var(unbiased=False).item()
    print(f"epoch {epoch:2d} | train mse {total / len(train):.4f} | test mse {err:.4f} | NSE {nse:.3f}")
