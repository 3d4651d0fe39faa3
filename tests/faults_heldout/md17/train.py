import json
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

cfg = json.load(open("pairing.json"))
torch.manual_seed(cfg["seed"])


def tower(d_in, h, d):
    return nn.Sequential(nn.Linear(d_in, h), nn.LayerNorm(h), nn.GELU(), nn.Dropout(cfg["dropout"]), nn.Linear(h, d))


class TwoTower(nn.Module):
    def __init__(self, d_img, d_tag):
        super().__init__()
        self.image, self.tags = tower(d_img, cfg["hidden"], cfg["dim"]), tower(d_tag, cfg["hidden"], cfg["dim"])
        self.log_scale = nn.Parameter(torch.tensor(math.log(1 / 0.05)))

    def forward(self, img, tags):
        a, b = F.normalize(self.image(img), dim=1), F.normalize(self.tags(tags), dim=1)
        return self.log_scale.exp().clamp(max=100) * a @ b.T


def symmetric(logits):
    t = torch.arange(len(logits))
    return 0.5 * (F.cross_entropy(logits, t) + F.cross_entropy(logits.T, t))


z = np.load("catalog.npz")
img = torch.tensor(z["img"].astype(np.float32) / 40)
tags = torch.tensor(np.unpackbits(z["tags"], axis=1)[:, :40].astype(np.float32))
perm = torch.randperm(len(img))
val, train = perm[:400], perm[400:]
img = (img - img[train].mean(0)) / img[train].std(0)
tags = (tags - tags[train].mean(0)) / tags[train].std(0)
net = TwoTower(img.shape[1], tags.shape[1])
opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
B = cfg["batch"]
steps = len(train) // B
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * steps)
for epoch in range(1, cfg["epochs"] + 1):
    net.train()
    order, tot = train[torch.randperm(len(train))], 0.0
    for s in range(steps):
        b = order[s * B:(s + 1) * B]
        loss = symmetric(net(img[b], tags[b]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item()
    if epoch % 5 == 0:
        net.eval()
        with torch.no_grad():
            full = net(img[val], tags[val])
            part = torch.stack([symmetric(net(img[v], tags[v])) for v in val[:3 * B].split(B)]).mean()
        top5 = (full.topk(5, dim=1).indices == torch.arange(len(val))[:, None]).any(1).float().mean()
        print(f"epoch {epoch} train {tot / steps:.3f} val {part:.3f} (uniform {math.log(B):.2f}) recall@5 of 400: {top5:.3f}")
