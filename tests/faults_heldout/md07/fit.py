import argparse
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import Cells
from unet import UNet


def soft_dice(logit, m, eps=1.0):
    p = logit.sigmoid()
    inter = (p * m).sum((1, 2, 3))
    return 1 - ((2 * inter + eps) / (p.sum((1, 2, 3)) + m.sum((1, 2, 3)) + eps)).mean()


@torch.no_grad()
def validate(net, loader):
    net.eval()
    loss, inter, union, n = 0.0, 0.0, 0.0, 0
    for x, m in loader:
        z = net(x)
        loss += (F.binary_cross_entropy_with_logits(z, m) + soft_dice(z, m)).item() * len(x)
        p = z > 0
        inter += (p & (m > 0)).sum().item()
        union += (p | (m > 0)).sum().item()
        n += len(x)
    return loss / n, inter / union


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--seed", type=int, default=21)
    opt = ap.parse_args()
    torch.manual_seed(opt.seed)
    order = np.random.default_rng(opt.seed).permutation(340)
    train = Cells("cells.npz", order[:260], augment=True)
    val = Cells("cells.npz", order[260:], stats=train.stats)
    tl = DataLoader(train, 6, shuffle=True)
    vl = DataLoader(val, 40)
    net = UNet()
    optim = torch.optim.Adam(net.parameters(), opt.lr)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optim, opt.epochs * len(tl))
    t0 = time.time()
    for ep in range(opt.epochs):
        net.train()
        tot = 0.0
        for x, m in tl:
            z = net(x)
            loss = F.binary_cross_entropy_with_logits(z, m) + soft_dice(z, m)
            optim.zero_grad()
            loss.backward()
            optim.step()
            plan.step()
            tot += loss.item() * len(x)
        v, iou = validate(net, vl)
        print(f"{time.time() - t0:5.1f}s epoch {ep + 1:2d} train {tot / len(train):.4f} val {v:.4f} IoU {iou:.4f}")
    torch.save(net.state_dict(), "cells_unet.pt")
