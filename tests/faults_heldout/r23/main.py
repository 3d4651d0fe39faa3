import argparse
from collections import defaultdict

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset


def stratified_indices(y, frac, seed):
    """Take the same share of every class for validation."""
    by_class = defaultdict(list)
    for i, c in enumerate(y.tolist()):
        by_class[c].append(i)
    g = np.random.default_rng(seed)
    train, val = [], []
    for c in sorted(by_class):
        idx = g.permutation(by_class[c])
        k = int(len(idx) * frac)
        val.extend(idx[:k].tolist())
        train.extend(idx[k:].tolist())
    return train, val


class Perceptron(nn.Module):
    def __init__(self, sizes=(64, 64, 64, 10)):
        super().__init__()
        mods = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            mods += [nn.Linear(a, b), nn.ReLU()]
        self.net = nn.Sequential(*mods[:-1])

    def forward(self, x):
        return self.net(x)


def main(a):
    torch.manual_seed(a.seed)
    X, y = load_digits(return_X_y=True)
    data = TensorDataset(torch.tensor((X - 4.9) / 6.0, dtype=torch.float32), torch.tensor(y))
    tr, va = stratified_indices(y, 0.2, a.seed)
    train_loader = DataLoader(Subset(data, tr), batch_size=a.batch_size)
    val_loader = DataLoader(Subset(data, va), batch_size=256)

    model = Perceptron()
    opt = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=0.9)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(a.epochs):
        model.train()
        run = 0.0
        for xb, yb in train_loader:
            loss = loss_fn(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item()
        model.eval()
        with torch.no_grad():
            z = [(model(xb), yb) for xb, yb in val_loader]
        logits, t = torch.cat([i for i, _ in z]), torch.cat([j for _, j in z])
        print(f"epoch {epoch:02d} train {run / len(train_loader):.3f} val {loss_fn(logits, t).item():.3f} "
              f"acc {(logits.argmax(1) == t).float().mean().item():.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--lr", type=float, default=0.03)
    p.add_argument("--seed", type=int, default=1)
    main(p.parse_args())
