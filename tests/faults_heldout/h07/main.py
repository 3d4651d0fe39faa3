"""SimCLR pre-training on digits, then a linear probe on a few labels over the frozen encoder."""
import json
import os

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

from src.losses import nt_xent
from src.nets import encoder, projector
from src.views import view

cfg = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "config.json")))


def data():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=0.25, stratify=d.target, random_state=cfg["seed"])
    return x[tr], y[tr], x[te], y[te]


def pretrain(enc, x):
    proj = projector()
    params = list(enc.parameters()) + list(proj.parameters())
    opt = torch.optim.AdamW(params, lr=cfg["lr"], weight_decay=1e-4)
    per_epoch = len(x) // cfg["batch"]
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["pretrain_epochs"] * per_epoch)
    for epoch in range(cfg["pretrain_epochs"]):
        enc.train(), proj.train()
        perm, tot = torch.randperm(len(x)), 0.0
        for b in range(per_epoch):
            xb = x[perm[b * cfg["batch"]:(b + 1) * cfg["batch"]]]
            loss = nt_xent(proj(enc(view(xb))), proj(enc(view(xb))), cfg["temperature"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        if epoch % 3 == 2:
            print(f"pretrain epoch {epoch + 1}: nt-xent {tot / per_epoch:.3f}")


def probe(enc, x, y, xt, yt):
    """Only the linear head learns; the encoder stays as it is."""
    enc.eval()
    for p in enc.parameters():
        p.requires_grad_(False)
    keep = torch.cat([(y == c).nonzero().squeeze(1)[:cfg["probe_labels_per_class"]] for c in range(10)])
    x, y = x[keep], y[keep]
    head = nn.Sequential(nn.BatchNorm1d(64, affine=False), nn.Linear(64, 10))
    opt = torch.optim.Adam(head.parameters(), lr=cfg["probe_lr"], weight_decay=1e-3)
    head.train()
    for step in range(cfg["probe_steps"]):
        with torch.no_grad():
            h = enc(x)
        loss = F.cross_entropy(head(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 49:
            print(f"  probe step {step + 1} loss {loss.item():.3f}")
    head.eval()
    with torch.no_grad():
        return (head(enc(xt)).argmax(1) == yt).float().mean().item()


def main():
    torch.manual_seed(cfg["seed"])
    x, y, xt, yt = data()
    enc = encoder()
    pretrain(enc, x)
    print(f"linear probe with {10 * cfg['probe_labels_per_class']} labels: test accuracy {probe(enc, x, y, xt, yt):.4f}")


if __name__ == "__main__":
    main()
