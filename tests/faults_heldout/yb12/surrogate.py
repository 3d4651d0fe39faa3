"""Neural surrogate for one-dimensional heat conduction in a bar.

The network learns temperature u(x, t; kappa, mode mix) from solutions of the analytic series
and is later used inside an inverse problem, so it must be smooth in its inputs.
"""
import argparse
import math
import time
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Settings:
    samples: int = 6000
    test_samples: int = 1500
    width: int = 64
    depth: int = 3
    slope_scale: float = 60.0
    batch: int = 128
    epochs: int = 45
    lr: float = 1e-3
    seed: int = 40


class SlopeTanh(nn.Module):
    """tanh with one trainable slope per layer, tanh(n * a * x) (Jagtap et al., 2020)."""

    def __init__(self, n):
        super().__init__()
        self.n = n
        self.a = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return torch.tanh(self.n * self.a * x)


class Surrogate(nn.Module):
    def __init__(self, n_in, s):
        super().__init__()
        layers = []
        width = n_in
        for _ in range(s.depth):
            lin = nn.Linear(width, s.width)
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)
            layers += [lin, SlopeTanh(s.slope_scale)]
            width = s.width
        self.hidden = nn.Sequential(*layers)
        self.readout = nn.Linear(width, 1)

    def forward(self, q):
        return self.readout(self.hidden(q)).squeeze(-1)

    def slopes(self):
        return [m.a.item() for m in self.hidden if isinstance(m, SlopeTanh)]


def heat_solution(x, t, kappa, mix):
    """Series solution for an initial profile made of three sine modes."""
    u = torch.zeros_like(x)
    for k in range(1, 4):
        u = u + mix[:, k - 1] * torch.sin(k * math.pi * x) * torch.exp(-kappa * (k * math.pi) ** 2 * t)
    return u


def draw(n, gen):
    x = torch.rand(n, generator=gen)
    t = torch.rand(n, generator=gen)
    kappa = 0.02 + 0.08 * torch.rand(n, generator=gen)
    mix = torch.rand(n, 3, generator=gen) * 2 - 1
    u = heat_solution(x, t, kappa, mix)
    q = torch.cat([torch.stack([2 * x - 1, 2 * t - 1, (kappa - 0.06) / 0.04], 1), mix], 1)
    return q, u


def relative_l2(pred, true):
    return (torch.linalg.vector_norm(pred - true) / torch.linalg.vector_norm(true)).item()


class Fitter:
    def __init__(self, net, s):
        self.net, self.s = net, s
        self.opt = torch.optim.Adam(net.parameters(), lr=s.lr)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.96)
        self.loss = nn.MSELoss()

    def run(self, train, test):
        q, u = train
        scale = u.std()
        for epoch in range(1, self.s.epochs + 1):
            self.net.train()
            total = 0.0
            for idx in torch.randperm(len(q)).split(self.s.batch):
                loss = self.loss(self.net(q[idx]), u[idx] / scale)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total += loss.item() * len(idx)
            self.sched.step()
            if epoch == 1 or epoch % 5 == 0:
                self.net.eval()
                with torch.no_grad():
                    err = relative_l2(self.net(test[0]) * scale, test[1])
                print(f"epoch {epoch:3d}  train mse {total / len(q):.5f}  test rel-L2 {err:.4f}")
        return err


def main():
    s = Settings()
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--epochs", type=int, default=s.epochs)
    ap.add_argument("--width", type=int, default=s.width)
    ap.add_argument("--depth", type=int, default=s.depth)
    args = ap.parse_args()
    s.epochs, s.width, s.depth = args.epochs, args.width, args.depth

    torch.manual_seed(s.seed)
    gen = torch.Generator().manual_seed(s.seed + 1)
    train, test = draw(s.samples, gen), draw(s.test_samples, gen)
    net = Surrogate(train[0].shape[1], s)
    tic = time.time()
    err = Fitter(net, s).run(train, test)
    print("slopes", [round(a, 3) for a in net.slopes()])
    print(f"relative L2 error {err:.4f} after {time.time() - tic:.1f}s")


if __name__ == "__main__":
    main()
