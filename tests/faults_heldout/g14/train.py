"""Siamese embedding: are two digit crops of the same digit?"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score

MARGIN = 1.0


class Tower(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(32 * 4, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return self.fc(self.conv(x))


class PairSampler:
    """Half the pairs come from one class, half from two different ones."""

    def __init__(self, labels, seed):
        self.rng = np.random.default_rng(seed)
        self.groups = [np.flatnonzero(labels == c) for c in np.unique(labels)]
        self.sizes = np.array([len(g) for g in self.groups])
        self.table = np.stack([np.resize(g, self.sizes.max()) for g in self.groups])

    def draw(self, n):
        same = np.arange(n) % 2 == 0
        c = self.rng.integers(len(self.groups), size=n)
        d = np.where(same, c, (c + self.rng.integers(1, len(self.groups), size=n)) % len(self.groups))
        size_c, size_d = self.sizes[c], self.sizes[d]
        i = self.rng.integers(size_c)
        shift = self.rng.integers(1, size_c)
        j = np.where(same, (i + shift) % size_c, self.rng.integers(size_d))     # never an image with itself
        left, right = self.table[c, i], self.table[d, j]
        return torch.from_numpy(left), torch.from_numpy(right), torch.from_numpy(same).float()


def contrastive(a, b, same):
    d = F.pairwise_distance(a, b)
    return (same * d.pow(2) + (1 - same) * F.relu(MARGIN - d).pow(2)).mean()


@torch.no_grad()
def verification_auc(model, images, pairs):
    model.eval()
    i, j, same = pairs
    z = model(images)
    d = F.pairwise_distance(z[i], z[j])
    model.train()
    return roc_auc_score(same.numpy(), -d.numpy())


digits = load_digits()
images = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
labels = digits.target
gen = np.random.default_rng(100)
order = gen.permutation(len(labels))
cut = int(0.75 * len(order))
parts = {"train": order[:cut], "test": order[cut:]}
x = {k: images[v] for k, v in parts.items()}
check = {k: PairSampler(labels[v], 5).draw(600) for k, v in parts.items()}

torch.manual_seed(100)
model = Tower()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
sampler = PairSampler(labels[parts["train"]], 6)
running = 0.0
for step in range(1, 281):
    i, j, same = sampler.draw(64)
    loss = contrastive(model(x["train"][i]), model(x["train"][j]), same)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    running += loss.item()
    if step % 40 == 0:
        aucs = {k: verification_auc(model, x[k], check[k]) for k in check}
        print(f"{step:4d} loss {running / 40:.4f} auc train {aucs['train']:.3f} test {aucs['test']:.3f}")
        running = 0.0
