import argparse
import math

import torch
from sklearn.datasets import make_moons
from sklearn.mixture import GaussianMixture
from torch import nn


class Coupling(nn.Module):
    def __init__(self, flip, width):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(
            nn.Linear(1, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 2),
        )
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _params(self, a):
        s, t = self.net(a).chunk(2, dim=1)
        return 2.0 * torch.tanh(s / 2.0), t

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self._params(a)
        b = b * s.exp() + t
        y = torch.cat((b, a) if self.flip else (a, b), dim=1)
        return y, s.squeeze(1)

    def inverse(self, y):
        a, b = y.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self._params(a)
        b = (b - t) * (-s).exp()
        return torch.cat((b, a) if self.flip else (a, b), dim=1)


class RealNVP(nn.Module):
    def __init__(self, layers=6, width=64):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1, width) for i in range(layers))

    def log_prob(self, x):
        logdet = torch.zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * x.pow(2).sum(1) - math.log(2 * math.pi) + logdet

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


def moons(n, seed):
    x, _ = make_moons(n, noise=0.06, random_state=seed)
    x = torch.tensor(x, dtype=torch.float32)
    return (x - torch.tensor([0.5, 0.25])) * 0.5


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=1500)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--lr", type=float, default=2e-3)
    a = p.parse_args()
    torch.manual_seed(3)

    train, test = moons(8000, 0), moons(2000, 1)
    flow = RealNVP()
    opt = torch.optim.Adam(flow.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.steps)

    recent = 0.0
    for step in range(1, a.steps + 1):
        x = train[torch.randint(len(train), (a.batch,))]
        nll = -flow.log_prob(x).mean()
        opt.zero_grad()
        nll.backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        sched.step()
        recent += nll.item()
        if step % 200 == 0:
            with torch.no_grad():
                held = -flow.log_prob(test).mean().item()
            print(f"step {step:5d}  nll {recent / 200:.4f}  test nll {held:.4f}")
            recent = 0.0

    gmm = GaussianMixture(6, random_state=0).fit(train.numpy())
    print(f"reference GMM(6) test nll {-gmm.score(test.numpy()):.4f}")
    s = flow.sample(2000)
    near = torch.cdist(s, test).min(1).values
    print(f"samples within 0.06 of a test point: {(near < 0.06).float().mean():.3f}")


if __name__ == "__main__":
    main()
