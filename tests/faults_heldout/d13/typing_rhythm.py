"""Triplet embedding of typing rhythms.  Training typists and test typists are different people."""
import logging
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

log = logging.getLogger("rhythm")


@dataclass(frozen=True)
class Setup:
    margin: float = 0.3
    dim: int = 16
    lr: float = 1e-3
    steps: int = 700
    triplets: int = 96
    typists: int = 60
    new_typists: int = 20
    samples: int = 25
    seed: int = 31


def population(s):
    """Key-hold timings: a personal style in a few directions, mood and keyboard effects in many others."""
    rng = np.random.default_rng(s.seed)
    n = s.typists + s.new_typists
    q, _ = np.linalg.qr(rng.normal(size=(48, 48)))
    style = rng.normal(size=(n, 8)) @ q[:8]
    y = np.repeat(np.arange(n), s.samples)
    mood = rng.normal(size=(len(y), 24)) @ q[8:32]
    x = style[y] + 1.6 * mood + 0.25 * rng.normal(size=(len(y), 48))
    known = y < s.typists
    mean, std = x[known].mean(0), x[known].std(0)
    x = torch.tensor((x - mean) / std, dtype=torch.float32)
    return (x[known], y[known]), (x[~known], torch.tensor(y[~known]))


def encoder(dim):
    return torch.nn.Sequential(
        torch.nn.Linear(48, 96), torch.nn.ReLU(),
        torch.nn.Linear(96, 96), torch.nn.ReLU(),
        torch.nn.Linear(96, dim))


class TripletSource:
    def __init__(self, x, y, rng):
        self.x, self.rng = x, rng
        self.rows = {int(c): np.flatnonzero(y == c) for c in np.unique(y)}

    def draw(self, n):
        people = list(self.rows)
        a, p, q = [], [], []
        for _ in range(n):
            c, d = self.rng.choice(people, 2, replace=False)
            i, j = self.rng.choice(self.rows[c], 2, replace=False)
            a.append(i)
            p.append(j)
            q.append(self.rng.choice(self.rows[d]))
        return self.x[a], self.x[p], self.x[q]


def triplet_loss(za, zp, zn, margin):
    pos = F.cosine_similarity(za, zp)
    neg = F.cosine_similarity(za, zn)
    return F.relu(pos - neg + margin).mean()


@torch.no_grad()
def recall_at_1(net, x, y):
    z = F.normalize(net(x), dim=1)
    sim = z @ z.T
    sim.fill_diagonal_(-2)
    return (y[sim.argmax(1)] == y).float().mean().item()


def main(s=Setup()):
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(s.seed)
    (x, y), (x_new, y_new) = population(s)
    source = TripletSource(x, y, np.random.default_rng(s.seed + 1))
    net = encoder(s.dim)
    opt = torch.optim.Adam(net.parameters(), lr=s.lr)
    for step in range(1, s.steps + 1):
        za, zp, zn = (net(v) for v in source.draw(s.triplets))
        loss = triplet_loss(za, zp, zn, s.margin)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            log.info("step %d  triplet loss %.4f  recall@1 new typists %.4f", step, loss.item(), recall_at_1(net, x_new, y_new))


if __name__ == "__main__":
    main()
