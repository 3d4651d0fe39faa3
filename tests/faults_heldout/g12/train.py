"""Cell segmentation on simulated phase-contrast tiles (32x32)."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from unet import UNet


class Tiles(Dataset):
    """Every tile is drawn from its own seed, so worker processes stay reproducible."""

    def __init__(self, n, first_seed, flip=False, size=32):
        self.flip = flip
        self.items = [self.draw(np.random.default_rng(first_seed + i), size) for i in range(n)]

    @staticmethod
    def draw(rng, size):
        yy, xx = np.mgrid[:size, :size]
        mask = np.zeros((size, size), bool)
        img = rng.normal(0, 0.35, (size, size)) + 0.02 * (xx - size / 2) * rng.normal()
        for _ in range(rng.integers(1, 5)):
            cx, cy = rng.uniform(4, size - 4, 2)
            rx, ry = rng.uniform(2.5, 6, 2)
            r = ((xx - cx) / rx) ** 2 + ((yy - cy) / ry) ** 2
            mask |= r < 1
            img += 0.9 * np.exp(-((r - 1) ** 2) * 3) + 0.4 * (r < 1)
        return img.astype(np.float32), mask.astype(np.float32)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        img, mask = (torch.from_numpy(a)[None] for a in self.items[i])
        if self.flip and torch.rand(()) < 0.5:
            img, mask = img.flip(-1), mask.flip(-1)
        return img, mask


def dice_loss(logits, target, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    t = target.flatten(1)
    return (1 - (2 * (p * t).sum(1) + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


@torch.no_grad()
def mean_iou(model, loader):
    model.eval()
    inter = union = 0.0
    for x, t in loader:
        p = model(x) > 0
        t = t > 0.5
        inter += (p & t).sum().item()
        union += (p | t).sum().item()
    return inter / union


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=7)
    ap.add_argument("--workers", type=int, default=2)
    ap.add_argument("--lr", type=float, default=2e-3)
    a = ap.parse_args()
    torch.manual_seed(0)
    train = DataLoader(Tiles(304, 0, flip=True), batch_size=16, shuffle=True, num_workers=a.workers,
                       persistent_workers=a.workers > 0)
    val = DataLoader(Tiles(96, 10_000), batch_size=32)
    model = UNet()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=3 * a.lr, total_steps=a.epochs * len(train))
    for epoch in range(a.epochs):
        model.train()
        total = 0.0
        for x, t in train:
            logits = model(x)
            loss = F.binary_cross_entropy_with_logits(logits, t) + dice_loss(logits, t)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(train):.4f}  val IoU {mean_iou(model, val):.3f}", flush=True)


if __name__ == "__main__":
    main()
