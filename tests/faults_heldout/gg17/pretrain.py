import copy
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from views import view

torch.set_num_threads(1)
torch.manual_seed(31)
EPOCHS, BATCH, TAU = 30, 100, 0.98

z = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "wrist.npz"))
acc = torch.from_numpy(z["acc"].astype(np.float32)) / 40.0
act = torch.from_numpy(z["activity"].astype(np.int64))
unlab, lab, test = slice(0, 1000), slice(1000, 1100), slice(1100, 1500)
acc = acc / acc[unlab].std()


def encoder():
    return nn.Sequential(
        nn.Conv1d(3, 24, 7, stride=2, padding=3), nn.BatchNorm1d(24), nn.ReLU(),
        nn.Conv1d(24, 48, 5, stride=2, padding=2), nn.BatchNorm1d(48), nn.ReLU(),
        nn.Conv1d(48, 48, 3, stride=2, padding=1), nn.BatchNorm1d(48), nn.ReLU(),
        nn.AdaptiveAvgPool1d(1), nn.Flatten())


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))


class Online(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.projector, self.predictor = encoder(), mlp(48, 96, 32), mlp(32, 64, 32)

    def project(self, x):
        return self.projector(self.backbone(x))


def probe(backbone, steps=300):
    """logistic regression on the pooled features of the few labelled windows"""
    backbone.eval()
    with torch.no_grad():
        f = backbone(acc)
    f = (f - f[unlab].mean(0)) / (f[unlab].std(0) + 1e-5)
    head = nn.Linear(f.shape[1], 6)
    o = torch.optim.Adam(head.parameters(), lr=0.02, weight_decay=1e-2)
    for _ in range(steps):
        loss = F.cross_entropy(head(f[lab]), act[lab])
        o.zero_grad()
        loss.backward()
        o.step()
    with torch.no_grad():
        return (head(f[test]).argmax(1) == act[test]).float().mean().item()


online = Online()
target = copy.deepcopy(nn.ModuleDict({"backbone": online.backbone, "projector": online.projector}))
for p in target.parameters():
    p.requires_grad = False

print(f"linear probe, random backbone: {probe(encoder()):.3f}   (majority class {act[test].bincount().max().item() / 400:.3f})")
opt = torch.optim.AdamW(online.parameters(), lr=2e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * 10)


def match(p, t):
    return 2 - 2 * F.cosine_similarity(p, t, dim=-1).mean()


for ep in range(1, EPOCHS + 1):
    online.train()
    run, spread = 0.0, 0.0
    for b in torch.randperm(1000).split(BATCH):
        v1, v2 = view(acc[unlab][b]), view(acc[unlab][b])
        z1, z2 = online.project(v1), online.project(v2)
        with torch.no_grad():
            t1 = target["projector"](target["backbone"](v1))
            t2 = target["projector"](target["backbone"](v2))
        loss = 0.5 * (match(online.predictor(z1), t2) + match(online.predictor(z2), t1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        with torch.no_grad():
            for src, dst in ((online.backbone, target["backbone"]), (online.projector, target["projector"])):
                for a, t in zip(src.parameters(), dst.parameters()):
                    t.mul_(TAU).add_(a, alpha=1 - TAU)
        run += loss.item()
        spread += F.normalize(z1.detach(), dim=1).std(0).mean().item() * 32 ** 0.5
    if ep % 3 == 0:
        print(f"epoch {ep:2d}  loss {run / 10:.4f}  feature spread {spread / 10:.3f}  probe {probe(copy.deepcopy(online.backbone)):.3f}")
