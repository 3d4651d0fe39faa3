import os

import numpy as np
import torch
from torch import nn

TAGS = ["indoor", "people", "food", "vehicle", "water", "building", "plant", "night"]
torch.manual_seed(int(os.environ.get("SEED", 7)))

# frozen backbone embeddings (int8 quantised, 18 units = 1.0), one row per photo
emb = np.load("embeddings.npz")


def read_tags(path):
    rows = []
    with open(path) as fh:
        for line in fh:
            present = set(line.strip().split(","))
            rows.append([float(t in present) for t in TAGS])
    return torch.tensor(rows)


def part(name):
    x = torch.from_numpy(emb[name].astype(np.float32) / 18.0)
    y = read_tags(f"tags_{name}.txt")
    assert len(x) == len(y), (name, len(x), len(y))
    return x, y


class AsymmetricLoss(nn.Module):
    """ASL (Ridnik et al. 2021): easy negatives are focused down more strongly than positives."""

    def __init__(self, gamma_neg=2.0, gamma_pos=0.0, shift=0.02):
        super().__init__()
        self.gamma_neg, self.gamma_pos, self.shift = gamma_neg, gamma_pos, shift

    def forward(self, logits, y):
        p = torch.sigmoid(logits)
        q = (1 - p + self.shift).clamp(max=1.0)
        pos = y * (1 - p).pow(self.gamma_pos) * nn.functional.logsigmoid(logits)
        neg = (1 - y) * (1 - q).pow(self.gamma_neg) * torch.log(q.clamp(min=1e-6))
        return -(pos + neg).sum(1).mean()


class Tagger(nn.Module):
    def __init__(self, d, k, width=96, p=0.2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, width), nn.GELU(), nn.Dropout(p))
        self.out = nn.Linear(width, k)

    def forward(self, x):
        return self.out(self.body(x))


def mean_ap(scores, y):
    aps = []
    for k in range(y.shape[1]):
        hit = y[scores[:, k].argsort(descending=True), k]
        prec = hit.cumsum(0) / torch.arange(1, len(hit) + 1)
        aps.append((prec * hit).sum() / hit.sum())
    return torch.stack(aps)


x, y = part("train")
xv, yv = part("val")
model = Tagger(x.shape[1], len(TAGS))
loss_fn = AsymmetricLoss()
opt = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-4)

for epoch in range(25):
    model.train()
    running, n = 0.0, 0
    for idx in torch.randperm(len(x)).split(32):
        opt.zero_grad()
        loss = loss_fn(model(x[idx]), y[idx])
        loss.backward()
        opt.step()
        running, n = running + loss.item() * len(idx), n + len(idx)
    if epoch % 4 == 0:
        model.eval()
        with torch.no_grad():
            s = model(xv)
            print(f"[{epoch:2d}] train {running / n:.4f}  val {loss_fn(s, yv).item():.4f}  mAP {mean_ap(s, yv).mean():.3f}")

model.eval()
xt, yt = part("test")
with torch.no_grad():
    ap = mean_ap(model(xt), yt)
print("test mAP %.3f (tag frequency %.3f)" % (ap.mean(), yt.mean()))
print("  ".join(f"{t} {a:.2f}" for t, a in zip(TAGS, ap.tolist())))
