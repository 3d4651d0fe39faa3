"""Supervised contrastive embedding of sensor snapshots, scored by nearest neighbour retrieval."""
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BASE = os.path.dirname(os.path.abspath(__file__))
TEMPERATURE = 0.2


class PKSampler:
    """p classes x k samples per batch, so that each anchor has positives."""

    def __init__(self, labels, p, k, batches, seed):
        self.by_class = [np.flatnonzero(labels == c) for c in np.unique(labels)]
        self.p, self.k, self.batches = p, k, batches
        self.rng = np.random.default_rng(seed)

    def __iter__(self):
        for _ in range(self.batches):
            classes = self.rng.choice(len(self.by_class), self.p, replace=False)
            yield np.concatenate([self.rng.choice(self.by_class[c], self.k, replace=False) for c in classes])


class Encoder(nn.Module):
    def __init__(self, d_in, d_out=16):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, d_out))

    def forward(self, x):
        return F.normalize(self.f(x), dim=1)


def supcon(z, y):
    sim = z @ z.t() / TEMPERATURE
    self_mask = torch.eye(len(y), dtype=torch.bool)
    sim = sim.masked_fill(self_mask, -1e9)
    logp = sim - sim.logsumexp(1, keepdim=True)
    pos = (y[:, None] == y[None, :]) & ~self_mask
    return -(logp * pos).sum(1).div(pos.sum(1)).mean()


@torch.no_grad()
def retrieval(encoder, gallery, gallery_y, query, query_y):
    encoder.eval()
    nearest = (encoder(query) @ encoder(gallery).t()).argmax(1)
    return (gallery_y[nearest] == query_y).float().mean().item()


def load(name):
    f = np.load(os.path.join(BASE, name))
    return torch.from_numpy(f["x"]).float(), torch.from_numpy(f["y"]).long()


def main():
    torch.manual_seed(2)
    x, y = load("snapshots_train.npz")
    xv, yv = load("snapshots_val.npz")
    mu, sd = x.mean(0), x.std(0)
    x, xv = (x - mu) / sd, (xv - mu) / sd

    enc = Encoder(x.shape[1])
    opt = torch.optim.Adam(enc.parameters(), lr=2e-3, weight_decay=1e-4)
    sampler = PKSampler(y.numpy(), p=8, k=12, batches=40, seed=2)
    for epoch in range(12):
        enc.train()
        total = 0.0
        for idx in sampler:
            loss = supcon(enc(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print("epoch %d: loss %.4f, val recall@1 %.4f" % (epoch, total / sampler.batches, retrieval(enc, x, y, xv, yv)))


main()
