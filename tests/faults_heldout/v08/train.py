"""Triplet embedding of digits; retrieval accuracy of a 1-NN query."""
import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return self.net(x)


class TripletSampler:
    def __init__(self, labels, seed):
        self.rng = np.random.default_rng(seed)
        self.labels = labels
        self.by_class = [np.flatnonzero(labels == c) for c in range(10)]
        self.others = [np.flatnonzero(labels != c) for c in range(10)]

    def draw(self, n):
        anchors = self.rng.integers(0, len(self.labels), n)
        pos = np.array([self.rng.choice(self.by_class[self.labels[a]]) for a in anchors])
        neg = np.array([self.rng.choice(self.others[self.labels[a]]) for a in anchors])
        return anchors, pos, neg


def distance(a, b):
    return (a - b).pow(2).sum(dim=1).sqrt()


def triplet_loss(za, zp, zn, margin=1.0):
    return torch.relu(distance(za, zp) - distance(za, zn) + margin).mean()


@torch.no_grad()
def retrieval_accuracy(model, gallery, gallery_y, query, query_y):
    model.eval()
    d = torch.cdist(model(query), model(gallery))
    return (gallery_y[d.argmin(1)] == query_y).float().mean().item()


def main():
    torch.manual_seed(9)
    digits = load_digits()
    order = np.random.default_rng(9).permutation(len(digits.target))
    x = torch.tensor(digits.data[order] / 16.0, dtype=torch.float32)
    y = digits.target[order]
    cut = 1300
    yt = torch.tensor(y)
    sampler = TripletSampler(y[:cut], seed=9)
    model = Embedder()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(1, 801):
        model.train()
        a, p, n = sampler.draw(32)
        loss = triplet_loss(model(x[a]), model(x[p]), model(x[n]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            acc = retrieval_accuracy(model, x[:cut], yt[:cut], x[cut:], yt[cut:])
            print(f"step {step}: triplet {loss.item():.4f}  1-NN accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
