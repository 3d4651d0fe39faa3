import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

WORK = Path(__file__).resolve().parent


@dataclass
class Settings:
    embed: int
    margin: float
    pairs_per_batch: int
    steps: int
    optimizer: str
    lr: float
    eval_every: int


class Tower(nn.Module):
    def __init__(self, n_in, embed):
        super().__init__()
        self.l1 = nn.Linear(n_in, 128)
        self.l2 = nn.Linear(128, 64)
        self.l3 = nn.Linear(64, embed)

    def forward(self, x):
        h = F.relu(self.l1(x))
        h = F.relu(self.l2(h))
        return self.l3(h)


def contrastive(za, zb, same, margin):
    d = (za - zb).pow(2).sum(1).add(1e-8).sqrt()
    pos = same * d.pow(2)
    neg = (1 - same) * F.relu(margin - d).pow(2)
    return 0.5 * (pos + neg).mean()


class PairSampler:
    def __init__(self, x, y, gen):
        self.x, self.y, self.gen = x, y, gen
        self.by_class = [torch.nonzero(y == c).flatten() for c in range(int(y.max()) + 1)]

    def draw(self, n):
        a = torch.randint(len(self.y), (n,), generator=self.gen)
        b = torch.randint(len(self.y), (n,), generator=self.gen)
        want = torch.rand(n, generator=self.gen) < 0.5
        for i in torch.nonzero(want).flatten().tolist():
            pool = self.by_class[int(self.y[a[i]])]
            b[i] = pool[torch.randint(len(pool), (1,), generator=self.gen)]
        same = (self.y[a] == self.y[b]).float()
        return self.x[a], self.x[b], same


@torch.no_grad()
def nearest_neighbour(net, xr, yr, xq, yq):
    net.eval()
    d = torch.cdist(net(xq), net(xr))
    net.train()
    return (yr[d.argmin(1)] == yq).float().mean().item()


@torch.no_grad()
def pair_loss(net, batch, margin):
    net.eval()
    xa, xb, same = batch
    v = contrastive(net(xa), net(xb), same, margin).item()
    net.train()
    return v


def run(s: Settings):
    torch.manual_seed(21)
    with np.load(WORK / "sketches.npz") as z:
        x = torch.from_numpy(z["features"].astype(np.float32))
        y = torch.from_numpy(z["label"].astype(np.int64))
        n = int(z["n_train"])
    x = (x - x[:n].mean()) / x[:n].std()
    net = Tower(x.shape[1], s.embed)
    opt = getattr(torch.optim, s.optimizer)(net.parameters(), lr=s.lr)
    gen = torch.Generator().manual_seed(8)
    sampler = PairSampler(x[:n], y[:n], gen)
    held = PairSampler(x[n:], y[n:], torch.Generator().manual_seed(9)).draw(800)
    avg = None
    for step in range(1, s.steps + 1):
        xa, xb, same = sampler.draw(s.pairs_per_batch)
        loss = contrastive(net(xa), net(xb), same, s.margin)
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
        if step % s.eval_every == 0:
            acc = nearest_neighbour(net, x[:n], y[:n], x[n:], y[n:])
            print(f"step {step:4d}  loss {avg:.4f}  held-out pairs {pair_loss(net, held, s.margin):.4f}  1-nn {acc:.3f}")
    torch.save(net.state_dict(), WORK / "tower.pt")


if __name__ == "__main__":
    torch.set_num_threads(1)
    with open(WORK / "settings.toml", "rb") as fh:
        run(Settings(**tomllib.load(fh)["siamese"]))
