"""Cell-nucleus segmentation on small microscope tiles."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

SEED = 4
EPOCHS = 8
MICRO_BATCH = 4
ACCUM_STEPS = 8      # effective batch of 32 tiles
LR = 0.08
MOMENTUM = 0.9


def make_tiles(n, size=24, seed=0):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size]
    imgs = np.zeros((n, 1, size, size), np.float32)
    masks = np.zeros_like(imgs)
    for i in range(n):
        for _ in range(rng.integers(1, 5)):
            cy, cx = rng.uniform(3, size - 3, 2)
            a, b = rng.uniform(2, 4.5, 2)
            inside = ((yy - cy) / a) ** 2 + ((xx - cx) / b) ** 2 < 1
            masks[i, 0][inside] = 1
        shade = rng.normal() * 0.3 + 0.6 * (xx / size - 0.5) * rng.normal()
        imgs[i, 0] = masks[i, 0] * rng.uniform(0.5, 1.0) + shade + rng.normal(0, 0.45, (size, size))
    return torch.from_numpy(imgs), torch.from_numpy(masks)


class TinyUNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.enc1 = self._block(1, c)
        self.enc2 = self._block(c, 2 * c)
        self.mid = self._block(2 * c, 2 * c)
        self.dec = self._block(3 * c, c)
        self.out = nn.Conv2d(c, 1, 1)

    @staticmethod
    def _block(i, o):
        return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())

    def forward(self, x):
        s1 = self.enc1(x)
        h = self.mid(self.enc2(F.max_pool2d(s1, 2)))
        h = F.interpolate(h, scale_factor=2.0, mode="nearest")
        return self.out(self.dec(torch.cat([h, s1], 1)))


def iou(model, loader):
    model.eval()
    inter = union = 0.0
    with torch.no_grad():
        for x, y in loader:
            p = model(x) > 0
            t = y > 0.5
            inter += (p & t).sum().item()
            union += (p | t).sum().item()
    model.train()
    return inter / max(union, 1.0)


torch.manual_seed(SEED)
train_loader = DataLoader(TensorDataset(*make_tiles(512, seed=1)), batch_size=MICRO_BATCH, shuffle=True)
val_loader = DataLoader(TensorDataset(*make_tiles(128, seed=2)), batch_size=64)

model = TinyUNet()
optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=MOMENTUM)

for epoch in range(1, EPOCHS + 1):
    epoch_loss = 0.0
    for step, (image, mask) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model(image), mask)
        (loss / ACCUM_STEPS).backward()
        if (step + 1) % ACCUM_STEPS == 0:
            optimizer.step()
        epoch_loss += loss.item()
    print(f"epoch {epoch}/{EPOCHS}  bce {epoch_loss / len(train_loader):.4f}  val IoU {iou(model, val_loader):.4f}")
