import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset


class DigitPairs(Dataset):
    """Random pairs, half of them from the same class."""

    def __init__(self, images, labels, n_pairs, seed):
        self.images = torch.tensor(images / 8.0 - 1.0, dtype=torch.float32).unsqueeze(1)
        self.labels = labels
        self.by_class = [np.flatnonzero(labels == c) for c in range(10)]
        self.n_pairs = n_pairs
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.n_pairs

    def __getitem__(self, _):
        i = self.rng.integers(len(self.labels))
        same = self.rng.random() < 0.5
        c = self.labels[i]
        if not same:
            c = (c + self.rng.integers(1, 10)) % 10
        j = self.rng.choice(self.by_class[c])
        return self.images[i], self.images[j], float(same)


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.fc = nn.Linear(128, dim)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


def distance(a, b):
    return torch.sqrt(((a - b) ** 2).sum(1))


def contrastive_loss(d, same, margin=2.0):
    return (same * d ** 2 + (1 - same) * F.relu(margin - d) ** 2).mean()


@torch.no_grad()
def one_nn(net, gallery, gy, query, qy):
    net.eval()
    d = torch.cdist(net(query), net(gallery))
    return (gy[d.argmin(1).numpy()] == qy).mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--pairs", type=int, default=1600)
    p.add_argument("--lr", type=float, default=2e-3)
    args = p.parse_args()

    torch.manual_seed(5)
    x, y = load_digits(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(y))
    x, y = x[order].reshape(-1, 8, 8), y[order]
    train = DigitPairs(x[:1300], y[:1300], args.pairs, seed=3)
    query = torch.tensor(x[1300:] / 8.0 - 1.0, dtype=torch.float32).unsqueeze(1)

    net = Embedder()
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        net.train()
        total = []
        for a, b, same in DataLoader(train, batch_size=64):
            loss = contrastive_loss(distance(net(a), net(b)), same.float())
            opt.zero_grad()
            loss.backward()
            opt.step()
            total.append(loss.item())
        acc = one_nn(net, train.images, train.labels, query, y[1300:])
        print(f"epoch {epoch}: contrastive loss {np.mean(total):.4f}  1-NN accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
