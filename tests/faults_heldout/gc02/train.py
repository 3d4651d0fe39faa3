import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

SPECIES = [
    "ash", "aspen", "beech", "birch", "cedar", "cherry", "elm", "fir", "hazel", "holly",
    "larch", "lime", "maple", "oak", "pine", "plane", "poplar", "rowan", "spruce", "willow",
]
SEED = 3
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)


def leaf_outline(kind, rng, n=48):
    """Radius of the leaf contour, sampled at n angles, for one species."""
    a = np.linspace(0, 2 * np.pi, n, endpoint=False)
    g = np.random.default_rng(100 + kind)
    r = np.ones(n)
    for k in range(1, 6):
        r = r + g.normal(0, 0.35 / np.sqrt(k)) * np.cos(k * a) + g.normal(0, 0.35 / np.sqrt(k)) * np.sin(k * a)
    return r * rng.uniform(0.85, 1.15) + rng.normal(0, 0.14, n)


class LeafDataset(Dataset):
    def __init__(self, per_species, seed):
        rng = np.random.default_rng(seed)
        self.items = []
        for k, name in enumerate(SPECIES):
            for _ in range(per_species):
                self.items.append((leaf_outline(k, rng).astype(np.float32), name))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    outlines, names = zip(*batch)
    x = torch.from_numpy(np.stack(outlines)).unsqueeze(1)
    _, y = np.unique(names, return_inverse=True)
    return x, torch.as_tensor(y, dtype=torch.long)


class OutlineNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 24, 5, padding=2, padding_mode="circular")
        self.conv2 = nn.Conv1d(24, 32, 5, padding=2, padding_mode="circular", stride=2)
        self.norm = nn.BatchNorm1d(32)
        self.fc1 = nn.Linear(32 * 24, 96)
        self.fc2 = nn.Linear(96, n_classes)

    def forward(self, x):
        x = F.relu(self.conv1(x - 1.0))
        x = F.relu(self.norm(self.conv2(x)))
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


train_loader = DataLoader(LeafDataset(60, 0), batch_size=32, shuffle=True, collate_fn=collate)
val_loader = DataLoader(LeafDataset(15, 1), batch_size=32, shuffle=True, collate_fn=collate)

net = OutlineNet(len(SPECIES))
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)

for epoch in range(15):
    net.train()
    seen = hits = 0
    running = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        out = net(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(y)
        hits += (out.argmax(1) == y).sum().item()
        seen += len(y)
    net.eval()
    vh = vn = 0
    with torch.no_grad():
        for x, y in val_loader:
            vh += (net(x).argmax(1) == y).sum().item()
            vn += len(y)
    print(f"[{epoch:02d}] loss={running / seen:.3f} acc={hits / seen:.3f} val_acc={vh / vn:.3f}")
