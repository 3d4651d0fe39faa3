"""Digit classifier trained from a stream of shards (the format of the ingestion service)."""
import argparse
import glob
import json
import os
import random
import time

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, IterableDataset

here = os.path.dirname(os.path.abspath(__file__))


class ShardStream(IterableDataset):
    """Yields the samples of all shards; the shard order is drawn anew for every pass."""

    def __init__(self, pattern, seed, noise=0.0):
        self.files = sorted(glob.glob(pattern))
        if not self.files:
            raise FileNotFoundError(pattern)
        self.rng = random.Random(seed)
        self.noise = noise

    def __iter__(self):
        files = list(self.files)
        self.rng.shuffle(files)
        for name in files:
            shard = np.load(name)
            images = torch.from_numpy(shard["image"].astype(np.float32) / 16.0)
            labels = torch.from_numpy(shard["label"].astype(np.int64))
            for img, lab in zip(images, labels):
                if self.noise:
                    img = img + self.noise * torch.randn_like(img)
                yield img.unsqueeze(0), lab


class SmallConvNet(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GELU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.GELU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 32, 3, padding=1), nn.GELU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(128, n_classes))

    def forward(self, x):
        return self.classifier(self.features(x))


@torch.no_grad()
def test(model, images, labels):
    model.eval()
    out = model(images)
    return nn.functional.cross_entropy(out, labels).item(), (out.argmax(1) == labels).float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--shards", default=os.path.join(here, "shards", "part-*.npz"))
    p.add_argument("--val", default=os.path.join(here, "shards", "val.npz"))
    p.add_argument("--epochs", type=int, default=15)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--run", default=os.path.join(here, "run"))
    a = p.parse_args()
    torch.manual_seed(a.seed)
    os.makedirs(a.run, exist_ok=True)
    with open(os.path.join(a.run, "args.json"), "w") as fh:
        json.dump(vars(a), fh, indent=2)

    loader = DataLoader(ShardStream(a.shards, a.seed, noise=0.05), batch_size=a.batch_size)
    v = np.load(a.val)
    vx = torch.from_numpy(v["image"].astype(np.float32) / 16.0).unsqueeze(1)
    vy = torch.from_numpy(v["label"].astype(np.int64))

    model = SmallConvNet()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.92)
    best_acc = 0.0
    for epoch in range(a.epochs):
        t0, total, count = time.time(), 0.0, 0
        model.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            count += len(y)
        sched.step()
        vloss, vacc = test(model, vx, vy)
        print(f"[{epoch + 1:2d}/{a.epochs}] loss {total / count:.4f} val_loss {vloss:.4f} val_acc {vacc:.4f} {time.time() - t0:.1f}s", flush=True)
        if vacc > best_acc:
            best_acc = vacc
            torch.save({"model": model.state_dict(), "epoch": epoch, "val_acc": vacc}, os.path.join(a.run, "best.pt"))
    print(f"best val_acc {best_acc:.4f}")


if __name__ == "__main__":
    main()
