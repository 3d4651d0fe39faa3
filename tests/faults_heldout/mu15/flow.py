import math

import numpy as np
import torch
from sklearn.datasets import make_moons
from torch import nn

SEED = 6
torch.manual_seed(SEED)


class Coupling(nn.Module):
    def __init__(self, dim, mask, hidden=48):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 2 * dim))
        # identity map at the start
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def params(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=1)
        return torch.tanh(s) * 2 * (1 - self.mask), t * (1 - self.mask)

    def forward(self, x):
        s, t = self.params(x)
        return x * s.exp() + t, s.sum(1)

    def inverse(self, z):
        s, t = self.params(z)
        return (z - t) * (-s).exp()


class RealNVP(nn.Module):
    def __init__(self, n_layers=6):
        super().__init__()
        masks = [torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])]
        self.layers = nn.ModuleList(Coupling(2, masks[i % 2]) for i in range(n_layers))

    def log_prob(self, x):
        logdet = torch.zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * x.pow(2).sum(1) - math.log(2 * math.pi) + logdet

    @torch.no_grad()
    def sample(self, n):
        x = torch.randn(n, 2)
        for layer in reversed(self.layers):
            x = layer.inverse(x)
        return x


points, _ = make_moons(4000, noise=0.06, random_state=SEED)
points = torch.tensor(points, dtype=torch.float32)
train, held = points[:3200], points[3200:]
mu, sd = train.mean(0), train.std(0)
train, held = (train - mu) / sd, (held - mu) / sd

cov = torch.cov(train.T)
gauss = torch.distributions.MultivariateNormal(train.mean(0), cov)
print(f"single gaussian: held-out nll {-gauss.log_prob(held).mean():.4f}")

flow = RealNVP()
optimizer = torch.optim.Adam(flow.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=1000, eta_min=1e-5)
history = []
for it in range(1, 1001):
    x = train[torch.randint(len(train), (200,))]
    nll = -flow.log_prob(x).mean()
    optimizer.zero_grad()
    nll.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    optimizer.step()
    scheduler.step()
    history.append(nll.item())
    if it % 125 == 0:
        with torch.no_grad():
            v = -flow.log_prob(held).mean().item()
        print(f"it {it:4d}  train nll {np.mean(history[-125:]):.4f}  held-out nll {v:.4f}")

s = flow.sample(2000)
print("sample mean", s.mean(0).tolist(), "std", s.std(0).tolist())
print(f"mean distance of a sample to the closest held-out point {torch.cdist(s, held).min(1).values.mean():.4f}")
