"""Spoken-command style classification of synthetic spectrograms, with class centres for open-set rejection."""
import random
import resource

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

CLASSES, MELS, FRAMES = 8, 32, 40


class Commands(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        proto = np.random.default_rng(99).normal(size=(CLASSES, 3, 3))
        self.y = rng.integers(0, CLASSES, n)
        grid_m, grid_t = np.meshgrid(np.linspace(-1, 1, MELS), np.linspace(-1, 1, FRAMES), indexing="ij")
        x = np.zeros((n, 1, MELS, FRAMES), np.float32)
        for i, c in enumerate(self.y):
            for a, b, w in proto[c]:
                centre = 0.5 * a + 0.3 * b * grid_t + 0.1 * rng.normal()
                x[i, 0] += (1 + abs(w)) * np.exp(-((grid_m - centre) ** 2) / 0.02)
        self.x = torch.from_numpy(x + 0.35 * rng.normal(size=x.shape).astype(np.float32))
        self.y = torch.from_numpy(self.y)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def spec_augment(x):
    x = x.clone()
    f, t = random.randint(0, MELS - 6), random.randint(0, FRAMES - 8)
    x[:, :, f:f + random.randint(0, 5)] = 0
    x[:, :, :, t:t + random.randint(0, 7)] = 0
    return x


class Embedder(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 12, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(24, 32, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.fc = nn.Linear(32 * 4 * 5, dim)
        self.cls = nn.Linear(dim, CLASSES)

    def embed(self, x):
        return self.fc(self.conv(x).flatten(1))

    def forward(self, x):
        return self.cls(torch.relu(self.embed(x)))


class Centres:
    """Moving average of the clean embeddings of every class."""

    def __init__(self, dim, momentum=0.95):
        self.value = torch.zeros(CLASSES, dim)
        self.momentum = momentum

    def update(self, emb, y):
        onehot = nn.functional.one_hot(y, CLASSES).float()
        count = onehot.sum(0).clamp(min=1)
        mean = onehot.t() @ emb / count[:, None]
        fresh = onehot.sum(0)[:, None] > 0
        blended = self.momentum * self.value + (1 - self.momentum) * mean
        self.value = torch.where(fresh, blended, self.value)

    def distance(self, emb):
        return torch.cdist(emb, self.value).min(1).values


def main():
    random.seed(0)
    torch.manual_seed(0)
    train = DataLoader(Commands(2560, 1), 128, shuffle=True, drop_last=True)
    val = DataLoader(Commands(512, 2), 256)
    model = Embedder()
    centres = Centres(48)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(16):
        model.train()
        running = 0.0
        for x, y in train:
            loss = nn.functional.cross_entropy(model(spec_augment(x)), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            centres.update(model.embed(x), y)
            running += loss.item()
        model.eval()
        hits, dist = 0, []
        with torch.no_grad():
            for x, y in val:
                hits += (model(x).argmax(1) == y).sum().item()
                dist.append(centres.distance(model.embed(x)))
        threshold = torch.cat(dist).quantile(0.95).item()
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"epoch {epoch:2d} loss {running / len(train):.4f} val acc {hits / 512:.3f} reject above {threshold:.2f} (peak {rss} MB)")


if __name__ == "__main__":
    main()
