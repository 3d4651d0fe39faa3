import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

p = argparse.ArgumentParser("digits8x8")
p.add_argument("--epochs", type=int, default=22)
p.add_argument("--bs", type=int, default=48)
p.add_argument("--max-lr", type=float, default=1e-2)
p.add_argument("--wd", type=float, default=1e-2)
p.add_argument("--width", type=int, default=24)
p.add_argument("--seed", type=int, default=1234)
cfg = p.parse_args()

torch.manual_seed(cfg.seed)
torch.set_num_threads(1)
rng = np.random.RandomState(cfg.seed)

digits = load_digits()
imgs = (digits.images / 16.0).astype("float32")[:, None]
lab = digits.target.astype("int64")
x_tr, x_rest, y_tr, y_rest = train_test_split(imgs, lab, test_size=600, stratify=lab, random_state=0)
x_va, x_te, y_va, y_te = train_test_split(x_rest, y_rest, test_size=300, stratify=y_rest, random_state=0)
mu, sd = float(x_tr.mean()), float(x_tr.std())


def prep(a):
    return torch.from_numpy((a - mu) / sd)


x_tr, x_va, x_te = prep(x_tr), prep(x_va), prep(x_te)
y_tr, y_va, y_te = (torch.from_numpy(v) for v in (y_tr, y_va, y_te))
print(f"train {tuple(x_tr.shape)}  val {tuple(x_va.shape)}  test {tuple(x_te.shape)}")


def jitter(batch):
    """shift every image by at most one pixel"""
    fill = -mu / sd
    padded = F.pad(batch, (1, 1, 1, 1), value=fill)
    out = torch.empty_like(batch)
    off = torch.randint(0, 3, (len(batch), 2))
    for i, (r, c) in enumerate(off.tolist()):
        out[i] = padded[i, :, r:r + 8, c:c + 8]
    return out


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


w = cfg.width
net = nn.Sequential(
    block(1, w), block(w, w), nn.MaxPool2d(2),
    block(w, 2 * w), block(2 * w, 2 * w), nn.AdaptiveAvgPool2d(1),
    nn.Flatten(), nn.Dropout(0.2), nn.Linear(2 * w, 10),
)
print("parameters:", sum(q.numel() for q in net.parameters()))

steps = len(x_tr) // cfg.bs
opt = torch.optim.AdamW(net.parameters(), lr=cfg.max_lr, weight_decay=cfg.wd)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.max_lr, total_steps=cfg.epochs * steps, pct_start=0.25)


@torch.no_grad()
def score(x, y):
    net.eval()
    logits = net(x)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


for ep in range(1, cfg.epochs + 1):
    net.train()
    perm = torch.randperm(len(x_tr))
    run = 0.0
    for k in range(steps):
        sel = perm[k * cfg.bs:(k + 1) * cfg.bs]
        opt.zero_grad(set_to_none=True)
        loss = F.cross_entropy(net(jitter(x_tr[sel])), y_tr[sel])
        loss.backward()
        opt.step()
        sched.step()
        run += loss.item()
    vl, va = score(x_va, y_va)
    print(f"ep {ep:2d}  lr {sched.get_last_lr()[0]:.2e}  train {run / steps:.4f}  val {vl:.4f}  acc {va:.4f}")

tl, ta = score(x_te, y_te)
print(f"TEST  loss {tl:.4f}  acc {ta:.4f}")
