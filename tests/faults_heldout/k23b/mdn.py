"""Mixture density network: delivery time given distance, hour and vehicle (two regimes: direct or via depot)."""
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical, MixtureSameFamily, Normal
from torch.utils.data import DataLoader, TensorDataset

ROOT = Path(__file__).resolve().parent


class MDN(nn.Module):
    def __init__(self, n_in, hidden=64, k=4):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.logit, self.mu, self.rho = (nn.Linear(hidden, k) for _ in range(3))
        with torch.no_grad():
            self.mu.bias.copy_(torch.linspace(-1, 1, k))

    def forward(self, x):
        h = self.trunk(x)
        comp = Normal(self.mu(h), nn.functional.softplus(self.rho(h)) + 1e-3)
        return MixtureSameFamily(Categorical(logits=self.logit(h)), comp)


def crps_ratio(dist, y, spread):
    """Sample CRPS divided by the mean absolute deviation of the target."""
    s = dist.sample((64,))
    crps = (s - y).abs().mean(0) - 0.5 * (s[:32] - s[32:]).abs().mean(0)
    return (crps.mean() / spread).item()


def main():
    torch.manual_seed(14)
    d = np.load(ROOT / "trips.npz")
    x, y = d["x"].astype("float32"), d["y"].astype("float32")
    cut = int(0.85 * len(x))
    mean, std = x[:cut].mean(0), x[:cut].std(0)
    x = (x - mean) / std
    train = TensorDataset(torch.tensor(x[:cut]), torch.tensor(y[:cut]))
    xv, yv = torch.tensor(x[cut:]), torch.tensor(y[cut:])
    spread = (yv - yv.mean()).abs().mean()
    model = MDN(x.shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    epochs = 30
    loader = DataLoader(train, batch_size=128, shuffle=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 4e-3, epochs=epochs, steps_per_epoch=len(loader))
    for ep in range(epochs):
        tot = 0.0
        for xb, yb in loader:
            nll = -model(xb).log_prob(yb).mean()
            opt.zero_grad()
            nll.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            opt.step()
            sched.step()
            tot += nll.item() * len(xb)
        if (ep + 1) % 3 == 0:
            with torch.no_grad():
                dist = model(xv)
                print(f"{ep + 1:3d} train nll {tot / cut:.4f} val nll {-dist.log_prob(yv).mean():.4f} crps ratio {crps_ratio(dist, yv, spread):.3f}")


main()
