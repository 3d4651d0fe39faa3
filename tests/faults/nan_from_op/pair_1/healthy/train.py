import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

ROOT = Path(__file__).parent


class PairDataset(Dataset):
    """Random pairs of rows; half of them share the class."""

    def __init__(self, x, y, length, seed):
        self.x, self.y = x, y
        rng = np.random.default_rng(seed)
        by_class = [np.flatnonzero(y == c) for c in np.unique(y)]
        pairs = []
        for k in range(length):
            a = int(rng.integers(len(y)))
            if k % 2 == 0:
                b = a
                while b == a:
                    b = int(rng.choice(by_class[y[a]]))
            else:
                b = int(rng.choice(np.flatnonzero(y != y[a])))
            pairs.append((a, b))
        self.pairs = pairs

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        a, b = self.pairs[i]
        return self.x[a], self.x[b], np.float32(self.y[a] == self.y[b])


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, dim))

    def forward(self, x):
        return self.net(x)


def contrastive_loss(za, zb, same, margin):
    dist = torch.sqrt(((za - zb) ** 2).sum(dim=1))
    pull = same * dist
    push = (1 - same) * torch.clamp(margin - dist, min=0)
    return (pull + push).mean()


def nearest_neighbour_accuracy(model, x_ref, y_ref, x_query, y_query):
    model.eval()
    with torch.no_grad():
        ref, query = model(torch.from_numpy(x_ref)), model(torch.from_numpy(x_query))
        nearest = torch.cdist(query, ref).argmin(dim=1).numpy()
    model.train()
    return float((y_ref[nearest] == y_query).mean())


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="digits.npz")
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--margin", type=float, default=2.0)
    p.add_argument("--lr", type=float, default=1e-3)
    a = p.parse_args()
    torch.manual_seed(0)
    with np.load(ROOT / a.data) as f:
        x = f["x"].astype(np.float32) / 16
        y = f["y"].astype(np.int64)
        x_val = f["x_val"].astype(np.float32) / 16
        y_val = f["y_val"].astype(np.int64)

    loader = DataLoader(PairDataset(x, y, 2400, seed=1), batch_size=32, shuffle=True)
    model = Embedder()
    optimizer = torch.optim.Adam(model.parameters(), lr=a.lr)
    for epoch in range(a.epochs):
        total = 0.0
        for xa, xb, same in loader:
            loss = contrastive_loss(model(xa), model(xb), same, a.margin)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        acc = nearest_neighbour_accuracy(model, x, y, x_val, y_val)
        print(f"epoch {epoch}  contrastive {total / len(loader):.4f}  1-nn accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
