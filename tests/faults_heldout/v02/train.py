import json
import logging
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("scans")
HERE = Path(__file__).parent


def read_scans(path):
    table = np.loadtxt(path, delimiter=",", dtype=np.int64)
    table = table[np.argsort(table[:, 0])]      # by scan id
    return table[:, 1:].astype(np.float32) / 16.0


def read_annotations(path):
    labels = json.loads(path.read_text())
    return np.array([labels[scan_id] for scan_id in sorted(labels)], dtype=np.int64)


class ScanDataset(Dataset):
    """Scans and annotations, both in the order of the scan id."""

    def __init__(self, root):
        self.images = read_scans(root / "scans.csv").reshape(-1, 1, 8, 8)
        self.labels = read_annotations(root / "annotations.json")
        if len(self.images) != len(self.labels):
            raise ValueError("scans and annotations differ in number")

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]), int(self.labels[i])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 3, padding=1)
        self.c2 = nn.Conv2d(16, 32, 3, padding=1)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(32 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return self.out(self.drop(x.flatten(1)))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = n = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()
        n += len(y)
    return hits / n


def main(epochs=12):
    torch.manual_seed(0)
    data = ScanDataset(HERE)
    n_val = len(data) // 5
    train_set, val_set = random_split(data, [len(data) - n_val, n_val], generator=torch.Generator().manual_seed(1))
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)
    model = Net()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, y in train_loader:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        log.info("epoch %d loss %.4f val_acc %.4f", epoch, total / len(train_set), evaluate(model, val_loader))


if __name__ == "__main__":
    main()
