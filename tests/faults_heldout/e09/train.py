"""Anchor-free detector of small plus signs: focal loss on a 12x12 grid, L1 on the offsets of positive cells."""
import math

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import average_precision_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from scenes import render


class Detector(nn.Module):
    def __init__(self, w=24, prior=0.01):
        super().__init__()
        def conv(i, o, s=1):
            return nn.Sequential(nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))
        self.body = nn.Sequential(conv(1, w), conv(w, w, 2), conv(w, w), conv(w, w))
        self.score = nn.Conv2d(w, 1, 1)
        self.offset = nn.Conv2d(w, 2, 1)
        nn.init.constant_(self.score.bias, -math.log((1 - prior) / prior))

    def forward(self, x):
        h = self.body(x)
        return self.score(h)[:, 0], self.offset(h)


def focal(logits, target, alpha=0.5, gamma=2.0):
    bce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    p = torch.sigmoid(logits)
    pt = torch.where(target > 0, p, 1 - p)
    at = torch.where(target > 0, alpha, 1 - alpha)
    return (at * (1 - pt) ** gamma * bce).sum()


def criterion(out, heat, off):
    score, o = out
    pos = heat > 0
    n_pos = pos.sum().clamp(min=1)
    cls = focal(score, heat) / n_pos
    reg = ((o - off).abs().sum(1) * pos).sum() / n_pos
    return cls, reg


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    s, t, e, k = [], [], 0.0, 0
    for x, heat, off in loader:
        score, o = net(x)
        s.append(score.sigmoid().flatten().numpy())
        t.append(heat.flatten().numpy())
        pos = heat > 0
        e += ((o - off).abs().sum(1) * pos).sum().item()
        k += int(pos.sum())
    return average_precision_score(np.concatenate(t), np.concatenate(s)), e / k


def main():
    torch.manual_seed(14)
    train = TensorDataset(*map(torch.from_numpy, render(768, seed=100)))
    val = TensorDataset(*map(torch.from_numpy, render(256, seed=200)))
    loader = DataLoader(train, batch_size=32, shuffle=True, drop_last=True)
    val_loader = DataLoader(val, batch_size=64)
    net = Detector()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
    epochs = 9
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=8e-3, total_steps=epochs * len(loader))
    print(f"share of positive cells {train.tensors[1].mean():.4f}")
    for ep in range(epochs):
        net.train()
        c_sum = r_sum = 0.0
        for x, heat, off in loader:
            cls, reg = criterion(net(x), heat, off)
            loss = cls + 0.5 * reg
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            c_sum += cls.item()
            r_sum += reg.item()
        ap, l1 = evaluate(net, val_loader)
        print(f"epoch {ep + 1} focal {c_sum / len(loader):.4f} offset {r_sum / len(loader):.4f} | val AP {ap:.4f} offset L1 {l1:.4f}")


if __name__ == "__main__":
    main()
