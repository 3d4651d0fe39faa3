"""Segment cells in small microscopy-like tiles with a compact U-Net."""
import dataclasses
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclasses.dataclass
class Config:
    seed: int = 17
    tiles: int = 520
    size: int = 32
    width: int = 8
    epochs: int = 18
    batch: int = 8
    lr: float = 5e-3
    flip: bool = True


def render(n, size, rng):
    yy, xx = np.mgrid[0:size, 0:size]
    images = np.zeros((n, size, size), np.float32)
    masks = np.zeros((n, size, size), np.float32)
    for i in range(n):
        gx, gy = rng.normal(0, 0.15, 2)
        img = 0.3 + gx * (xx / size - 0.5) + gy * (yy / size - 0.5)
        for _ in range(rng.integers(1, 5)):
            cx, cy = rng.uniform(3, size - 3, 2)
            a, b = rng.uniform(3, 7, 2)
            th = rng.uniform(0, np.pi)
            u = (xx - cx) * np.cos(th) + (yy - cy) * np.sin(th)
            v = -(xx - cx) * np.sin(th) + (yy - cy) * np.cos(th)
            inside = (u / a) ** 2 + (v / b) ** 2 <= 1
            img = np.where(inside, img + rng.uniform(0.25, 0.5) * (masks[i] == 0), img)
            masks[i][inside] = 1
        for _ in range(rng.integers(0, 3)):  # dust: bright specks that are not cells
            cx, cy = rng.integers(1, size - 1, 2)
            img[cy, cx] += 0.6
        images[i] = img + rng.normal(0, 0.11, img.shape)
    return torch.from_numpy(images)[:, None], torch.from_numpy(masks)[:, None]


def double(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(),
        nn.Conv2d(c_out, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(),
    )


class UNet(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.d1, self.d2, self.mid = double(1, w), double(w, 2 * w), double(2 * w, 4 * w)
        self.pool = nn.MaxPool2d(2)
        self.up2 = nn.ConvTranspose2d(4 * w, 2 * w, 2, stride=2)
        self.u2 = double(4 * w, 2 * w)
        self.up1 = nn.ConvTranspose2d(2 * w, w, 2, stride=2)
        self.u1 = double(2 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        m = self.mid(self.pool(b))
        b = self.u2(torch.cat([self.up2(m), b], 1))
        a = self.u1(torch.cat([self.up1(b), a], 1))
        return self.out(a)


def seg_loss(logits, target):
    bce = nn.functional.binary_cross_entropy_with_logits(logits, target)
    p = torch.sigmoid(logits)
    inter = (p * target).sum((1, 2, 3))
    dice = (2 * inter + 1) / (p.sum((1, 2, 3)) + target.sum((1, 2, 3)) + 1)
    return bce + 0.5 * (1 - dice.mean())


def flips(x, y):
    if torch.rand(()) < 0.5:
        x, y = x.flip(-1), y.flip(-1)
    if torch.rand(()) < 0.5:
        x, y = x.flip(-2), y.flip(-2)
    return x, y


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss, n, inter, union = 0.0, 0, 0.0, 0.0
    for x, y in loader:
        out = model(x)
        loss += seg_loss(out, y).item() * len(x)
        n += len(x)
        pred = out > 0
        inter += (pred & (y > 0)).sum().item()
        union += (pred | (y > 0)).sum().item()
    return loss / n, inter / union


def main():
    cfg = Config()
    if len(sys.argv) > 1:
        cfg.seed = int(sys.argv[1])
    torch.manual_seed(cfg.seed)
    x, y = render(cfg.tiles, cfg.size, np.random.default_rng(cfg.seed))
    a, b = int(0.7 * cfg.tiles), int(0.85 * cfg.tiles)
    mean, std = x[:a].mean(), x[:a].std()
    x = (x - mean) / std
    train = DataLoader(TensorDataset(x[:a], y[:a]), cfg.batch, shuffle=True, drop_last=True)
    val = DataLoader(TensorDataset(x[a:b], y[a:b]), 64)
    test = DataLoader(TensorDataset(x[b:], y[b:]), 64)

    model = UNet(cfg.width)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)
    best, state = 0.0, None
    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for xb, yb in train:
            if cfg.flip:
                xb, yb = flips(xb, yb)
            opt.zero_grad()
            loss = seg_loss(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        vl, iou = evaluate(model, val)
        if iou > best:
            best, state = iou, {k: v.clone() for k, v in model.state_dict().items()}
        print(f"epoch {epoch + 1:2d} | train {total / len(train):.4f} | val {vl:.4f} IoU {iou:.4f}")
    model.load_state_dict(state)
    tl, iou = evaluate(model, test)
    print(f"test loss {tl:.4f} IoU {iou:.4f}")


if __name__ == "__main__":
    main()
