from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return x + self.f(self.norm(x))


class Surrogate(nn.Module):
    """Product concentration of the reactor from its operating point."""

    def __init__(self, n_in, width=48, depth=2):
        super().__init__()
        self.inp = nn.Linear(n_in, width)
        self.blocks = nn.Sequential(*[Residual(width) for _ in range(depth)])
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.blocks(self.inp(x))).squeeze(-1)


class Experiment:
    lr = 1e-3
    batch = 50
    epochs = 36

    def __init__(self):
        torch.manual_seed(8)
        points = np.load(HERE / "points.npy").astype(np.float32)
        conc = np.load(HERE / "conc.npy").astype(np.float32)
        n_test = len(points) // 5
        idx = np.random.default_rng(0).permutation(len(points))
        self.test, self.fit = idx[:n_test], idx[n_test:]
        lo, hi = points[self.fit].min(0), points[self.fit].max(0)
        self.x = torch.from_numpy(2 * (points - lo) / (hi - lo) - 1)
        self.y = torch.from_numpy(conc)
        self.net = Surrogate(points.shape[1])
        self.opt = torch.optim.Adam(self.net.parameters(), lr=self.lr)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.93)

    def one_epoch(self):
        self.net.train()
        err = 0.0
        for part in np.array_split(np.random.permutation(self.fit), len(self.fit) // self.batch):
            loss = nn.functional.mse_loss(self.net(self.x[part]), self.y[part])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            err += loss.item() * len(part)
        self.sched.step()
        return err / len(self.fit)

    def r2(self, rows):
        self.net.eval()
        with torch.no_grad():
            y, p = self.y[rows].double(), self.net(self.x[rows]).double()
        return (1 - ((y - p) ** 2).sum() / ((y - y.mean()) ** 2).sum()).item()

    def run(self):
        np.random.seed(8)
        for e in range(self.epochs):
            mse = self.one_epoch()
            if e % 3 == 2:
                print(f"{e + 1:3d}  mse {mse:.4e}  R2 fit {self.r2(self.fit):.4g}  R2 test {self.r2(self.test):.4g}")


if __name__ == "__main__":
    Experiment().run()
