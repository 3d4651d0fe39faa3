"""Small convnet for 8x8 grey-level digits."""
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

DATA = Path(__file__).resolve().parent / "data"
torch.manual_seed(11)


class DigitImages(Dataset):
    def __init__(self, split):
        self.images = np.load(DATA / f"images_{split}.npy")
        self.labels = np.load(DATA / f"labels_{split}.npy")
        assert len(self.images) == len(self.labels)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = torch.from_numpy(self.images[i]).float().unsqueeze(0) / 16.0
        return img, int(self.labels[i])


class ConvNet(nn.Module):
    def __init__(self, width=24, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.head = nn.Linear(2 * width * 4, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.head(x.flatten(1))


train_loader = DataLoader(DigitImages("train"), batch_size=50, shuffle=True)
test_loader = DataLoader(DigitImages("test"), batch_size=200)

model = ConvNet()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)

for epoch in range(8):
    t0 = time.time()
    model.train()
    total = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)

    model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in test_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    print(f"epoch {epoch:2d}  loss {total / len(train_loader.dataset):.4f}  "
          f"test acc {hits / len(test_loader.dataset):.4f}  ({time.time() - t0:.1f}s)")
