"""Strength of fired bricks from kiln readings. Averaged weights are what is shipped."""
import copy
import itertools

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
torch.manual_seed(0)
table = rng.permutation(np.loadtxt("kiln.csv", delimiter=";", skiprows=1).astype(np.float32))
tr, va, te = table[:3000], table[3000:3600], table[3600:]
mean, std = tr.mean(0), tr.std(0)
tr, va, te = (torch.from_numpy((p - mean) / std) for p in (tr, va, te))


class Averager:
    """Exponential mean of weights; the horizon grows with the number of updates seen."""

    def __init__(self, net, decay):
        self.net = copy.deepcopy(net).requires_grad_(False).eval()
        self.decay, self.n = decay, 0

    @torch.no_grad()
    def update(self, net):
        self.n += 1
        d = min(self.decay, (1 + self.n) / (10 + self.n))
        for a, b in zip(self.net.parameters(), net.parameters()):
            a.lerp_(b, 1 - d)


def batches(data, size, generator):
    while True:
        for idx in torch.randperm(len(data), generator=generator).split(size):
            if len(idx) == size:
                yield data[idx, :-1], data[idx, -1:]


@torch.no_grad()
def mse(net, data):
    was = net.training
    net.eval()
    out = nn.functional.mse_loss(net(data[:, :-1]), data[:, -1:]).item()
    net.train(was)
    return out


net = nn.Sequential(nn.Linear(8, 48), nn.LayerNorm(48), nn.GELU(), nn.Linear(48, 48), nn.GELU(), nn.Linear(48, 1))
shipped = Averager(net, decay=0.995)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.1)
stream = batches(tr, 24, torch.Generator().manual_seed(3))
total = 0.0
for step, (x, y) in enumerate(itertools.islice(stream, 2500), 1):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    shipped.update(net)
    total += loss.item()
    if step % 250 == 0:
        print(f"{step:5d}  batch mse {total / 250:.4f}  val raw {mse(net, va):.4f}  val averaged {mse(shipped.net, va):.4f}")
        total = 0.0
print(f"test: raw {mse(net, te):.4f}  averaged {mse(shipped.net, te):.4f}  mean predictor {te[:, -1].var().item():.4f}")
