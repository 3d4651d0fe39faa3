from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset

from sampling import train_loader


@dataclass
class Config:
    epochs: int = 100
    per_epoch: int = 48
    batch: int = 16
    lr: float = 1.5e-3
    seed: int = 1


class Digits(Dataset):
    def __init__(self, part):
        d = load_digits()
        order = torch.randperm(len(d.target), generator=torch.Generator().manual_seed(0))
        rows = order[:1300] if part == "train" else order[1300:]
        self.x = torch.tensor(d.images, dtype=torch.float32)[rows].unsqueeze(1) / 16.0
        self.y = torch.tensor(d.target)[rows]
        self.train = part == "train"

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.train:
            x = x + 0.05 * torch.randn_like(x)
        return x, self.y[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(24 * 16, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.fc(self.conv(x))


@torch.no_grad()
def validate(net, loader):
    net.eval()
    loss = hits = n = 0
    for x, y in loader:
        out = net(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def fit(cfg):
    torch.manual_seed(cfg.seed)
    net = Net()
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=1e-2)
    loader = train_loader(Digits("train"), cfg.batch, cfg.per_epoch, cfg.seed)
    val_loader = DataLoader(Digits("val"), batch_size=256)
    for epoch in range(cfg.epochs):
        if hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(epoch)
        net.train()
        running = []
        for x, y in loader:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running.append(loss.item())
        if (epoch + 1) % 10 == 0:
            vl, va = validate(net, val_loader)
            print(f"epoch {epoch + 1:3d} train {sum(running) / len(running):.4f} val {vl:.4f} acc {va:.3f}")


if __name__ == "__main__":
    fit(Config())
