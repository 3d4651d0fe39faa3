"""Binary segmentation of blobs in small noisy images."""
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

SIZE = 24


def blobs(n, rng):
    yy, xx = np.mgrid[:SIZE, :SIZE]
    images = rng.normal(0, 0.45, (n, 1, SIZE, SIZE))
    masks = np.zeros((n, SIZE, SIZE), bool)
    for i in range(n):
        for _ in range(rng.integers(1, 4)):
            cy, cx, r = rng.uniform(3, SIZE - 3), rng.uniform(3, SIZE - 3), rng.uniform(2, 5)
            masks[i] |= (yy - cy) ** 2 + (xx - cx) ** 2 < r * r
    images[:, 0] += masks
    return torch.from_numpy(images.astype(np.float32)), torch.from_numpy(masks.astype(np.float32))


class Segmenter(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.a = nn.Conv2d(1, c, 3, padding=1)
        self.b = nn.Conv2d(c, 2 * c, 3, padding=1)
        self.c = nn.Conv2d(2 * c, 2 * c, 3, padding=1)
        self.d = nn.Conv2d(3 * c, c, 3, padding=1)
        self.out = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = F.relu(self.a(x))
        b = F.relu(self.c(F.relu(self.b(F.max_pool2d(a, 2)))))
        up = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.out(F.relu(self.d(torch.cat([a, up], 1)))).squeeze(1)


class IoUMeter:
    def __init__(self):
        self.inter = self.union = 0

    def update(self, logits, masks):
        pred = logits > 0
        for b in range(pred.shape[0]):
            for i in range(pred.shape[1]):
                for j in range(pred.shape[2]):
                    p, m = pred[b, i, j].item(), masks[b, i, j].item() > 0.5
                    self.inter += p and m
                    self.union += p or m

    def value(self):
        return self.inter / max(1, self.union)


def main():
    torch.manual_seed(5)
    rng = np.random.default_rng(5)
    train = DataLoader(TensorDataset(*blobs(480, rng)), 32, shuffle=True)
    val_x, val_m = blobs(48, rng)
    model = Segmenter()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(4):
        start, meter, total = time.time(), IoUMeter(), 0.0
        model.train()
        for x, m in train:
            logits = model(x)
            loss = F.binary_cross_entropy_with_logits(logits, m)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            meter.update(logits.detach(), m)
        model.eval()
        val_meter = IoUMeter()
        with torch.no_grad():
            val_meter.update(model(val_x), val_m)
        print(f"epoch {epoch} loss {total / len(train):.4f} iou {meter.value():.3f} val iou {val_meter.value():.3f} {time.time() - start:.1f}s", flush=True)


if __name__ == "__main__":
    main()
