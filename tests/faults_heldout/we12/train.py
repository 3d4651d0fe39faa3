"""Handwritten digits at 32x32 with on-the-fly augmentation."""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

SEED = 2024
EPOCHS = 28
BATCH = 16
PEAK_LR = 0.12
SMOOTHING = 0.1

torch.manual_seed(SEED)
np.random.seed(SEED)


def to_tensor(images):
    x = torch.from_numpy(images.astype(np.float32) / 16.0).unsqueeze(1)
    return F.interpolate(x, size=(32, 32), mode="bilinear", align_corners=False)


def augment(x):
    n = len(x)
    angle = (torch.rand(n) * 2 - 1) * math.radians(14)
    scale = 1 + (torch.rand(n) * 2 - 1) * 0.12
    shift = (torch.rand(n, 2) * 2 - 1) * 0.15
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = torch.cos(angle) / scale
    theta[:, 0, 1] = -torch.sin(angle) / scale
    theta[:, 1, 0] = torch.sin(angle) / scale
    theta[:, 1, 1] = torch.cos(angle) / scale
    theta[:, :, 2] = shift
    x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)
    for i in range(n):
        if torch.rand(1) < 0.4:
            a, b = torch.randint(0, 24, (2,))
            x[i, :, a : a + 8, b : b + 8] = torch.rand(1)
    return x + 0.05 * torch.randn_like(x)


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(
            nn.BatchNorm2d(c), nn.ReLU(), nn.Conv2d(c, c, 3, padding=1, bias=False),
            nn.BatchNorm2d(c), nn.ReLU(), nn.Conv2d(c, c, 3, padding=1, bias=False),
        )

    def forward(self, x):
        return x + self.body(x)


model = nn.Sequential(
    nn.Conv2d(1, 36, 3, stride=2, padding=1, bias=False),
    Residual(36),
    nn.Conv2d(36, 72, 3, stride=2, padding=1, bias=False),
    Residual(72),
    nn.Conv2d(72, 144, 3, stride=2, padding=1, bias=False),
    Residual(144),
    nn.BatchNorm2d(144),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Dropout(0.3),
    nn.Linear(144, 10),
)

digits = load_digits()
xtr, xte, ytr, yte = train_test_split(
    digits.images, digits.target, test_size=360, stratify=digits.target, random_state=SEED
)
mean, std = xtr.mean() / 16, xtr.std() / 16
xtr, xte = to_tensor(xtr), to_tensor(xte)
ytr, yte = torch.from_numpy(ytr), torch.from_numpy(yte)

steps = len(xtr) // BATCH
opt = torch.optim.SGD(model.parameters(), lr=PEAK_LR / 10, momentum=0.9, nesterov=True, weight_decay=5e-4)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, PEAK_LR, epochs=EPOCHS, steps_per_epoch=steps, pct_start=0.3)
print(f"{len(xtr)} train, {len(xte)} test, {steps} steps per epoch")

for epoch in range(1, EPOCHS + 1):
    model.train()
    perm = torch.randperm(len(xtr))
    loss_sum = hit = 0
    for s in range(steps):
        idx = perm[s * BATCH : (s + 1) * BATCH]
        xb = (augment(xtr[idx]) - mean) / std
        out = model(xb)
        loss = F.cross_entropy(out, ytr[idx], label_smoothing=SMOOTHING)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        loss_sum += loss.item()
        hit += (out.argmax(1) == ytr[idx]).sum().item()
        if (s + 1) % 22 == 0:
            print(f"epoch {epoch:2d} [{s + 1:3d}/{steps}] loss {loss_sum / (s + 1):.3f} acc {hit / ((s + 1) * BATCH):.3f} lr {sched.get_last_lr()[0]:.4f}")
    if epoch % 4 == 0:
        model.eval()
        with torch.no_grad():
            pred = torch.cat([model((b - mean) / std) for b in xte.split(120)]).argmax(1)
        print(f"epoch {epoch:2d} test accuracy {(pred == yte).float().mean().item():.4f}")
