"""Segment discs from noise with a very small U-Net."""
import functools
import os

import numpy as np
import torch
import torch.nn as nn

HERE = os.path.dirname(os.path.abspath(__file__))


def conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.down1, self.down2 = conv(1, base), conv(base, 2 * base)
        self.up1 = conv(3 * base, base)
        self.last = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(nn.functional.max_pool2d(a, 2))
        b = nn.functional.interpolate(b, scale_factor=2, mode="nearest")
        return self.last(self.up1(torch.cat([a, b], dim=1)))


def dice_loss(logits, mask):
    p = torch.sigmoid(logits)
    overlap = (p * mask).sum(dim=(1, 2, 3))
    return (1 - 2 * overlap / (p.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3)) + 1.0)).mean()


def objective(logits, mask, mix=0.5):
    bce = nn.functional.binary_cross_entropy_with_logits(logits, mask)
    return mix * bce + (1 - mix) * dice_loss(logits, mask)


def iou(model, images, masks):
    model.eval()
    with torch.no_grad():
        found = model(images) > 0
    model.train()
    real = masks > 0.5
    return ((found & real).sum() / (found | real).sum().clamp(min=1)).item()


def load():
    with np.load(os.path.join(HERE, "scenes.npz")) as f:
        return [torch.from_numpy(f[k].astype(np.float32)).unsqueeze(1) for k in ("images", "masks", "val_images", "val_masks")]


def loop(model, step, images, masks, epochs, report):
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(images)).split(16):
            total += step(model, images[rows], masks[rows]) * len(rows)
        report(epoch, total / len(images), model)


def make_step(optimizer, criterion):
    def step(model, x, m):
        optimizer.zero_grad()
        value = criterion(model(x), m)
        value.backward()
        torch.optim.Adam(model.parameters(), lr=4e-3)
        return value.item()

    return step


if __name__ == "__main__":
    torch.manual_seed(10)
    images, masks, val_images, val_masks = load()
    net = UNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)
    show = lambda e, loss, m: print(f"epoch {e} loss {loss:.4f} val IoU {iou(m, val_images, val_masks):.3f}")
    loop(net, make_step(optimizer, functools.partial(objective, mix=0.5)), images, masks, 10, show)
