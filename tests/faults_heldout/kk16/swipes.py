from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

GESTURES = ["left", "right", "up", "down", "zoom_in", "zoom_out"]


@dataclass
class Options:
    train: int = 600
    test: int = 300
    epochs: int = 14
    batch: int = 30
    lr: float = 3e-3
    augment: bool = True
    seed: int = 2


def trace(kind, rng, n=24):
    """Two fingers on a touch screen: (n, 4) positions over time."""
    t = np.linspace(0, 1, n) ** rng.uniform(0.8, 1.25)
    travel = rng.uniform(0.4, 1.0)
    d = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}.get(GESTURES[kind])
    gap = rng.uniform(0.1, 0.3)
    c = rng.uniform(-0.4, 0.4, 2)
    if d is not None:
        centre = c + travel * (t - 0.5)[:, None] * np.array(d)
        half = np.full(n, gap)
    else:
        centre = np.repeat(c[None], n, 0)
        s = t if GESTURES[kind] == "zoom_in" else 1 - t
        half = 0.08 + 0.5 * travel * s
    ang = rng.uniform(-0.6, 0.6)
    off = np.stack([half * np.cos(ang), half * np.sin(ang)], 1)
    xy = np.concatenate([centre - off, centre + off], 1)
    return xy + rng.normal(0, 0.03, xy.shape)


class Swipes(Dataset):
    def __init__(self, n, seed, augment=False):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(len(GESTURES), size=n)
        self.traces = np.stack([trace(k, rng) for k in self.labels]).astype(np.float32)
        self.augment = augment
        self.rng = np.random.default_rng(seed + 1)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = self.traces[i]
        if self.augment:
            x = self.perturb(x)
        return torch.from_numpy(np.ascontiguousarray(x.T)), int(self.labels[i])

    def perturb(self, x):
        r = self.rng
        x = x * r.uniform(0.85, 1.15)
        x = x + np.tile(r.uniform(-0.1, 0.1, 2), 2)
        if r.random() < 0.5:
            x = x[::-1]
        if r.random() < 0.3:
            x = x[:, [2, 3, 0, 1]]
        return x.astype(np.float32)


class GestureNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(4, 24, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(24, 32, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Flatten(), nn.Linear(32 * 6, 48), nn.ReLU(), nn.Linear(48, len(GESTURES)),
        )

    def forward(self, x):
        return self.body(x)


def score(net, loader):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def main(o=Options()):
    torch.manual_seed(o.seed)
    train = DataLoader(Swipes(o.train, 10, augment=o.augment), o.batch, shuffle=True)
    test = DataLoader(Swipes(o.test, 20), 100)
    net = GestureNet()
    opt = torch.optim.Adam(net.parameters(), o.lr)
    for epoch in range(o.epochs):
        net.train()
        losses = []
        for x, y in train:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1:2d} loss {np.mean(losses):.3f} test {score(net, test):.3f}")


if __name__ == "__main__":
    main()
