import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class ArchiveImages(Dataset):
    def __init__(self, path, cache=False):
        self.archive = np.load(path)
        self.labels = self.archive["labels"].astype(np.int64)
        self.cache = {} if cache else None

    def __len__(self):
        return len(self.labels)

    def read(self, index):
        image = torch.from_numpy(self.archive[f"image_{index:05d}"].astype(np.float32)) / 255.0
        return F.interpolate(image[None, None], size=(8, 8), mode="area")[0]

    def __getitem__(self, index):
        if self.cache is None:
            return self.read(index), self.labels[index]
        if index not in self.cache:
            self.cache[index] = self.read(index)
        return self.cache[index], self.labels[index]


def network():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(96, 10),
    )


def run(args):
    torch.manual_seed(args.seed)
    dataset = ArchiveImages(Path(__file__).parent / args.archive, cache=args.cache)
    cut = int(0.8 * len(dataset))
    train_set = torch.utils.data.Subset(dataset, range(cut))
    val_set = torch.utils.data.Subset(dataset, range(cut, len(dataset)))
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=64)
    net = network()
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        began, images_seen = time.time(), 0
        for images, labels in train_loader:
            loss = F.cross_entropy(net(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            images_seen += len(labels)
        rate = images_seen / (time.time() - began)
        net.eval()
        with torch.no_grad():
            hits = sum((net(x).argmax(1) == y).sum().item() for x, y in val_loader)
        net.train()
        print(f"epoch {epoch + 1}/{args.epochs} loss {loss.item():.3f} val acc {hits / len(val_set):.3f} ({rate:.0f} img/s)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--archive", default="images.npz")
    parser.add_argument("--cache", action="store_true")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=5e-3)
    parser.add_argument("--seed", type=int, default=0)
    run(parser.parse_args())
