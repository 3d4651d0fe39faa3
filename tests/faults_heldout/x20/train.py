"""Load forecast for a pump from eight sensors. The log has the odd transmission spike in the load column."""
import argparse

import numpy as np
import torch
from torch import nn


def make_log(n, rng, spikes):
    x = rng.uniform(-1, 1, (n, 8)).astype(np.float32)
    y = np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.7 * np.abs(x[:, 3]) + 0.05 * rng.standard_normal(n)
    if spikes:
        hit = rng.random(n) < 0.01
        y[hit] += rng.choice([-1, 1], hit.sum()) * rng.uniform(40, 160, hit.sum())
    return torch.from_numpy(x), torch.from_numpy(y.astype(np.float32))


class Runner:
    def __init__(self, args):
        rng = np.random.default_rng(args.seed)
        self.x, self.y = make_log(4000, rng, spikes=True)
        self.xt, self.yt = make_log(1000, rng, spikes=False)
        self.net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=args.lr, momentum=0.9)
        self.batch, self.max_norm = args.batch, args.max_norm

    def update(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x).squeeze(-1), y)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
        loss.backward()
        self.opt.step()
        return loss.item(), norm.item()

    @torch.no_grad()
    def test_rmse(self):
        return nn.functional.mse_loss(self.net(self.xt).squeeze(-1), self.yt).sqrt().item()

    def fit(self, epochs):
        for epoch in range(epochs):
            losses = [self.update(self.x[i], self.y[i])[0] for i in torch.randperm(len(self.x)).split(self.batch)]
            print(f"epoch {epoch:2d}  median batch mse {np.median(losses):9.4f}  test rmse {self.test_rmse():.4f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--max-norm", type=float, default=1.0)
    p.add_argument("--seed", type=int, default=8)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    r = Runner(a)
    print(f"test target std {r.yt.std().item():.3f}")
    r.fit(a.epochs)
