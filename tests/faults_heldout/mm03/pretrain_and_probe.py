"""Bootstrap-your-own-latent on 8x8 digits, then a linear probe on 60 labels."""
import copy
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

EPOCHS = int(os.environ.get("BYOL_EPOCHS", 22))
TAU0 = 0.97
BATCH = 128
torch.manual_seed(21)

digits = load_digits()
images = (digits.images / 16.0).astype(np.float32)
tr, te, ytr, yte = train_test_split(images, digits.target, test_size=0.3, random_state=4, stratify=digits.target)
tr = torch.from_numpy(tr).unsqueeze(1)
te = torch.from_numpy(te).unsqueeze(1)
ytr, yte = torch.from_numpy(ytr), torch.from_numpy(yte)


def view(x):
    """Small rotation, shift, zoom, brightness and pixel noise; one draw per image."""
    n = len(x)
    ang = (torch.rand(n) - 0.5) * 0.5
    zoom = 1 + (torch.rand(n) - 0.5) * 0.3
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = torch.cos(ang) * zoom
    theta[:, 0, 1] = -torch.sin(ang) * zoom
    theta[:, 1, 0] = torch.sin(ang) * zoom
    theta[:, 1, 1] = torch.cos(ang) * zoom
    theta[:, :, 2] = (torch.rand(n, 2) - 0.5) * 0.35
    grid = F.affine_grid(theta, x.shape, align_corners=False)
    x = F.grid_sample(x, grid, align_corners=False)
    x = x * (0.7 + 0.6 * torch.rand(n, 1, 1, 1))
    return x + 0.08 * torch.randn_like(x)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1, bias=False), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 48, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(48), nn.ReLU(),
            nn.Conv2d(48, 64, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.dim = 64

    def forward(self, x):
        return self.net(x)


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))


def regress(p, z):
    return (2 - 2 * F.cosine_similarity(p, z.detach(), dim=1)).mean()


def probe(encoder, n_labels=60):
    encoder.eval()
    with torch.no_grad():
        ftr, fte = encoder(tr[:n_labels]), encoder(te)
    encoder.train()
    mu, sd = ftr.mean(0), ftr.std(0) + 1e-5
    ftr, fte = (ftr - mu) / sd, (fte - mu) / sd
    head = nn.Linear(ftr.shape[1], 10)
    opt = torch.optim.AdamW(head.parameters(), lr=1e-2, weight_decay=0.05)
    for _ in range(120):
        loss = F.cross_entropy(head(ftr), ytr[:n_labels])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        return loss.item(), (head(fte).argmax(1) == yte).float().mean().item()


encoder = Encoder()
online = nn.ModuleDict({"enc": encoder, "proj": mlp(encoder.dim, 128, 48), "pred": mlp(48, 64, 48)})
target = nn.ModuleDict({"enc": copy.deepcopy(encoder), "proj": copy.deepcopy(online["proj"])})
for p in target.parameters():
    p.requires_grad_(False)

opt = torch.optim.AdamW(online.parameters(), lr=2e-3, weight_decay=1e-4)
steps = EPOCHS * (len(tr) // BATCH)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
print(f"random encoder probe accuracy {probe(encoder)[1]:.4f}")

it = 0
for epoch in range(1, EPOCHS + 1):
    tot, n = 0.0, 0
    perm = torch.randperm(len(tr))
    for k in range(len(tr) // BATCH):
        x = tr[perm[k * BATCH:(k + 1) * BATCH]]
        a, b = view(x), view(x)
        pa = online["pred"](online["proj"](online["enc"](a)))
        pb = online["pred"](online["proj"](online["enc"](b)))
        with torch.no_grad():
            za = target["proj"](target["enc"](a))
            zb = target["proj"](target["enc"](b))
        loss = 0.5 * (regress(pa, zb) + regress(pb, za))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tau = 1 - (1 - TAU0) * (np.cos(np.pi * it / steps) + 1) / 2
        with torch.no_grad():
            for name in ("enc", "proj"):
                for q, p in zip(target[name].parameters(), online[name].parameters()):
                    q.mul_(tau).add_(p, alpha=1 - tau)
        it += 1
        tot += loss.item(); n += 1
    if epoch % 5 == 0 or epoch == 1:
        with torch.no_grad():
            std = F.normalize(za, dim=1).std(0).mean().item() * 48 ** 0.5
        print(f"epoch {epoch:3d} byol loss {tot / n:.4f} feature std {std:.3f} lr {sched.get_last_lr()[0]:.2e}")

l, acc = probe(encoder)
print(f"linear probe: train loss {l:.4f} test accuracy {acc:.4f}")
