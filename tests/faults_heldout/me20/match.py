"""Learns digit features without labels: which lower half belongs to which upper half?"""
import math

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

EPOCHS, BATCH, LR = 40, 128, 3e-3


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
            nn.AvgPool2d(2), nn.Flatten(), nn.Linear(32 * 8, 64), nn.ReLU())
        self.project = nn.Linear(64, 24)

    def forward(self, x):
        return F.normalize(self.project(self.features(x)), dim=1)


def jitter(x):
    gain = 1 + 0.2 * torch.randn(len(x), 1, 1, 1)
    return x * gain + 0.08 * torch.randn_like(x)


def contrast(a, b, scale):
    z = a @ b.T * scale.exp().clamp(max=50.0)
    own = torch.arange(len(a))
    return (F.cross_entropy(z, own) + F.cross_entropy(z.T, own)) / 2, (z.argmax(1) == own).float().mean()


torch.manual_seed(4)
x, y = load_digits(return_X_y=True)
x = torch.tensor(x, dtype=torch.float32).view(-1, 1, 8, 8) / 16 - 0.3
y = torch.tensor(y)
rest, test = train_test_split(np.arange(len(y)), test_size=384, random_state=1, stratify=y)
top, low = Tower(), Tower()
scale = nn.Parameter(torch.tensor(math.log(7.0)))
body = torch.optim.AdamW([*top.parameters(), *low.parameters()], lr=LR, weight_decay=0.05)
knob = torch.optim.SGD([scale], lr=0.02)
steps = EPOCHS * (len(rest) // BATCH)
scheds = [torch.optim.lr_scheduler.CosineAnnealingLR(o, steps) for o in (body, knob)]


def held_out():
    top.eval(), low.eval()
    with torch.no_grad():
        pairs = [contrast(top(x[i][:, :, :4]), low(x[i][:, :, 4:]), scale) for i in test.reshape(3, BATCH)]
    return [sum(p[k].item() for p in pairs) / 3 for k in (0, 1)]


def probe():
    """Linear classifier on the (fixed) features of both halves; its scale is fitted on the training part."""
    top.eval(), low.eval()
    with torch.no_grad():
        f = torch.cat([top.features(x[:, :, :4]), low.features(x[:, :, 4:])], 1)
    f = (f - f[rest].mean(0)) / (f[rest].std(0) + 1e-4)
    few = rest[:200]
    lin = nn.Linear(f.shape[1], 10)
    opt = torch.optim.Adam(lin.parameters(), lr=0.01, weight_decay=1e-2)
    for _ in range(150):
        opt.zero_grad()
        F.cross_entropy(lin(f[few]), y[few]).backward()
        opt.step()
    with torch.no_grad():
        return (lin(f[test]).argmax(1) == y[test]).float().mean().item()


print(f"200 labels on untrained features: {probe():.4f}")
for epoch in range(1, EPOCHS + 1):
    top.train(), low.train()
    log = []
    for idx in torch.randperm(len(rest))[:len(rest) // BATCH * BATCH].view(-1, BATCH):
        pic = x[rest[idx]]
        loss, _ = contrast(top(jitter(pic[:, :, :4])), low(jitter(pic[:, :, 4:])), scale)
        for o in (body, knob):
            o.zero_grad()
        loss.backward()
        for o, s in zip((body, knob), scheds):
            o.step()
            s.step()
        log.append(loss.item())
    if epoch % 4 == 0:
        v, hit = held_out()
        print(f"{epoch:3d}  loss {np.mean(log):.4f}  held-out {v:.4f} (top-1 {hit:.3f} of {BATCH})  scale {scale.exp().item():.2f}")
print(f"200 labels on learned features: {probe():.4f}")
