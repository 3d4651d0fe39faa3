"""Hourly dock rentals: Poisson regression with a small network."""
import numpy as np
import torch
from torch import nn

torch.manual_seed(8)

raw = np.genfromtxt("docks.csv", delimiter=",", names=True)


def features(t):
    hour = 2 * np.pi * t["hour"] / 24
    day = np.eye(7)[t["weekday"].astype(int)]
    return np.column_stack([np.sin(hour), np.cos(hour), np.sin(2 * hour), np.cos(2 * hour),
                            (t["temp"] - 15) / 7, t["rain"], day]).astype(np.float32)


X = torch.from_numpy(features(raw))
Y = torch.from_numpy(raw["rentals"].astype(np.float32))
perm = torch.randperm(len(X))
test, train = perm[:800], perm[800:]


class RateNet(nn.Module):
    def __init__(self, n_in, width=40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.rate = nn.Sequential(nn.Linear(width, 1), nn.Softplus())

    def forward(self, x):
        return self.rate(self.trunk(x)).squeeze(-1)


def deviance(rate, y):
    rate = rate.clamp(min=1e-6)
    return 2 * (torch.xlogy(y, y / rate) - (y - rate)).mean().item()


net = RateNet(X.shape[1])
criterion = nn.PoissonNLLLoss()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
null = deviance(Y[train].mean().expand(len(test)), Y[test])
print(f"mean count {Y[train].mean():.2f}, deviance of the mean {null:.3f}")

for epoch in range(30):
    net.train()
    losses = []
    for idx in train[torch.randperm(len(train))].split(64):
        loss = criterion(net(X[idx]), Y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if epoch % 3 == 2:
        net.eval()
        with torch.no_grad():
            rate = net(X[test])
        print(f"{epoch + 1:3d} nll {np.mean(losses):8.3f}  test deviance {deviance(rate, Y[test]):.3f}"
              f"  mae {(rate - Y[test]).abs().mean():.3f}  mean rate {rate.mean():.2f}")
