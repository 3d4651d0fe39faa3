"""RealNVP density model for two-dimensional detector hits; reports bits and sample statistics."""
import math

import numpy as np
import torch
from sklearn.datasets import make_moons
from torch import nn


class AffineCoupling(nn.Module):
    def __init__(self, flip, hidden):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _params(self, a):
        raw, shift = self.net(a).chunk(2, dim=1)
        return 1.5 * torch.tanh(raw / 1.5), shift

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        log_scale, shift = self._params(a)
        b = b * log_scale.exp() + shift
        out = (b, a) if self.flip else (a, b)
        return torch.cat(out, dim=1), log_scale.squeeze(1)

    def inverse(self, y):
        a, b = y.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        log_scale, shift = self._params(a)
        b = (b - shift) * (-log_scale).exp()
        out = (b, a) if self.flip else (a, b)
        return torch.cat(out, dim=1)


class RealNVP(nn.Module):
    def __init__(self, n_layers=8, hidden=48):
        super().__init__()
        self.layers = nn.ModuleList(AffineCoupling(i % 2 == 1, hidden) for i in range(n_layers))

    def log_prob(self, x):
        log_det = torch.zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            log_det = log_det + ld
        base = -0.5 * x.pow(2).sum(1) - math.log(2 * math.pi)
        return base + log_det

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


def make_hits(n, seed):
    pts, _ = make_moons(n, noise=0.06, random_state=seed)
    return torch.from_numpy(((pts - [0.5, 0.25]) * 0.4).astype(np.float32))


def main():
    torch.manual_seed(31)
    train, valid = make_hits(4000, 1), make_hits(1500, 2)
    cov = torch.cov(train.T)
    gauss = torch.distributions.MultivariateNormal(train.mean(0), cov)
    print(f"single gaussian: valid nll {-gauss.log_prob(valid).mean():.4f}")

    flow = RealNVP()
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=8, gamma=0.4)
    best, best_state = math.inf, None
    for epoch in range(24):
        flow.train()
        nll_sum = 0.0
        for rows in torch.randperm(len(train)).split(128):
            nll = -flow.log_prob(train[rows]).mean()
            opt.zero_grad()
            nll.backward()
            torch.nn.utils.clip_grad_norm_(flow.parameters(), 10.0)
            opt.step()
            nll_sum += nll.item() * len(rows)
        sched.step()
        flow.eval()
        with torch.no_grad():
            val = -flow.log_prob(valid).mean().item()
        if val < best:
            best, best_state = val, {k: v.clone() for k, v in flow.state_dict().items()}
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}  train nll {nll_sum / len(train):+.4f}  valid nll {val:+.4f}")

    flow.load_state_dict(best_state)
    drawn = flow.sample(5000)
    print(f"best valid nll {best:+.4f}; data mean {train.mean(0).tolist()}, sample mean {drawn.mean(0).tolist()}")


if __name__ == "__main__":
    main()
