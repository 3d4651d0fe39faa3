# Density estimation with affine coupling layers (RealNVP) on four correlated measurements.
import math

import numpy as np
import torch
from sklearn.datasets import make_moons
from torch import nn

torch.manual_seed(3)

N_TRAIN, N_TEST, STEPS, BATCH = 4000, 1000, 1200, 256


class Coupling(nn.Module):
    def __init__(self, dim, mask, hidden=64):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)      # start as the identity map
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=-1)
        s = 2.0 * torch.tanh(s / 2.0) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * s.exp() + t, s.sum(-1)

    def inverse(self, z):
        s, t = self.net(z * self.mask).chunk(2, dim=-1)
        s = 2.0 * torch.tanh(s / 2.0) * (1 - self.mask)
        return (z - t * (1 - self.mask)) * (-s).exp()


class Flow(nn.Module):
    def __init__(self, dim, layers=6):
        super().__init__()
        base = (torch.arange(dim) % 2).float()
        self.layers = nn.ModuleList([Coupling(dim, base if i % 2 else 1 - base) for i in range(layers)])
        self.dim = dim

    def log_prob(self, x):
        total = x.new_zeros(len(x))
        for layer in self.layers:
            x, logdet = layer(x)
            total = total + logdet
        return total - 0.5 * (x ** 2).sum(-1) - 0.5 * self.dim * math.log(2 * math.pi)

    def sample(self, n):
        z = torch.randn(n, self.dim)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


def make_data(n, seed):
    """Two moons embedded with two strongly correlated companions: the density is narrow."""
    pts, _ = make_moons(n, noise=0.04, random_state=seed)
    rng = np.random.default_rng(seed)
    extra = np.stack([pts[:, 0] * pts[:, 1], pts[:, 0] - pts[:, 1]], 1) + 0.03 * rng.standard_normal((n, 2))
    return np.concatenate([pts, extra], 1).astype(np.float32)


raw_train, raw_test = make_data(N_TRAIN, 1), make_data(N_TEST, 2)
mu, sd = raw_train.mean(0), raw_train.std(0)
x_train, x_test = torch.from_numpy((raw_train - mu) / sd), torch.from_numpy((raw_test - mu) / sd)

flow = Flow(x_train.shape[1])
opt = torch.optim.Adam(flow.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)

cov = torch.cov(x_train.T)
gauss = torch.distributions.MultivariateNormal(x_train.mean(0), cov)
print(f"full-covariance Gaussian: test nll {-gauss.log_prob(x_test).mean().item():.3f}")

for step in range(1, STEPS + 1):
    batch = x_train[torch.randint(0, N_TRAIN, (BATCH,))]
    nll = -flow.log_prob(batch).mean()
    opt.zero_grad()
    nll.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    sched.step()
    if step % 100 == 0:
        flow.eval()
        with torch.no_grad():
            test_nll = -flow.log_prob(x_test).mean().item()
        flow.train()
        print(f"step {step:4d}  nll {nll.item():7.3f}  test nll {test_nll:7.3f}")

with torch.no_grad():
    fake = flow.sample(2000)
print("sample mean", [round(v, 2) for v in fake.mean(0).tolist()], "std", [round(v, 2) for v in fake.std(0).tolist()])
