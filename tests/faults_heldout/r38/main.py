"""Siamese network on digits: same class close, different class at least a margin apart."""
import argparse
import random

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset


class PairDataset(Dataset):
    def __init__(self, x, y, n_pairs, seed):
        self.x, self.y, self.n = x, y, n_pairs
        self.rng = random.Random(seed)
        self.groups = {c: (y == c).nonzero().flatten().tolist() for c in range(10)}

    def __len__(self):
        return self.n

    def __getitem__(self, k):
        same = k % 2
        i = self.rng.randrange(len(self.y))
        c = int(self.y[i])
        if not same:
            c = self.rng.choice([o for o in range(10) if o != c])
        j = self.rng.choice(self.groups[c])
        return self.x[i], self.x[j], torch.tensor(float(same))


class Embedder(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return self.net(x)


def distance(a, b):
    return torch.sqrt(((a - b) ** 2).sum(dim=1))


def contrastive(d, same, margin=1.5):
    return (same * d.pow(2) + (1 - same) * (margin - d).clamp(min=0).pow(2)).mean()


def verify(net, loader, thr=0.75):
    net.eval()
    hit = n = 0
    with torch.no_grad():
        for a, b, s in loader:
            hit += ((distance(net(a), net(b)) < thr) == (s > 0.5)).sum().item()
            n += len(s)
    return hit / n


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--pairs", type=int, default=3200)
    opts = ap.parse_args()
    torch.manual_seed(0)
    d = load_digits()
    x, y = torch.tensor(d.data, dtype=torch.float32) / 16, torch.tensor(d.target)
    p = torch.randperm(len(x))
    train = DataLoader(PairDataset(x[p[:1300]], y[p[:1300]], opts.pairs, 1), batch_size=64)
    test = DataLoader(PairDataset(x[p[1300:]], y[p[1300:]], 1000, 2), batch_size=250)
    net = Embedder()
    optim = torch.optim.Adam(net.parameters(), lr=1.5e-3)
    for ep in range(opts.epochs):
        net.train()
        tot = 0.0
        for a, b, s in train:
            loss = contrastive(distance(net(a), net(b)), s)
            optim.zero_grad()
            loss.backward()
            optim.step()
            tot += loss.item() / len(train)
        print(f"epoch {ep} loss {tot:.4f} pair accuracy {verify(net, test):.3f}")
