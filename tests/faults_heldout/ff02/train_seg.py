"""Foreground segmentation of microscopy crops with a tiny U-Net."""
import os
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np


class ConvBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU(inplace=True),
            nn.Conv2d(cout, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU(inplace=True),
        )

    def forward(self, x):
        return self.body(x)


class UNet(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.e1, self.e2, self.mid = ConvBlock(1, w), ConvBlock(w, 2 * w), ConvBlock(2 * w, 4 * w)
        self.d2, self.d1 = ConvBlock(6 * w, 2 * w), ConvBlock(3 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.e1(x)
        b = self.e2(F.max_pool2d(a, 2))
        c = self.mid(F.max_pool2d(b, 2))
        b = self.d2(torch.cat([F.interpolate(c, scale_factor=2), b], 1))
        a = self.d1(torch.cat([F.interpolate(b, scale_factor=2), a], 1))
        return self.out(a)


class CellDataset(torch.utils.data.Dataset):
    def __init__(self, images, masks, train):
        self.x = (torch.from_numpy(images).float() - 115.0) / 55.0
        self.y = torch.from_numpy(masks).float()
        self.train = train

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x, y = self.x[i], self.y[i]
        if self.train and torch.rand(()) < 0.5:
            x, y = x.flip(-1), y.flip(-1)
        return x[None], y[None]


class Trainer:
    def __init__(self, net, train_loader, val_loader, lr, accumulate):
        self.net = net
        self.train_loader, self.val_loader = train_loader, val_loader
        self.accumulate = accumulate
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
        self.n_micro = 0

    def loss(self, logits, mask):
        bce = F.binary_cross_entropy_with_logits(logits, mask)
        p = logits.sigmoid()
        inter = (p * mask).sum((1, 2, 3))
        dice = 1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)
        return bce + 0.5 * dice.mean()

    def forward_backward(self, x, y):
        self.opt.zero_grad(set_to_none=True)
        loss = self.loss(self.net(x), y)
        (loss / self.accumulate).backward()
        self.n_micro += 1
        return loss.item()

    def train_epoch(self):
        self.net.train()
        losses = []
        for x, y in self.train_loader:
            losses.append(self.forward_backward(x, y))
            if self.n_micro % self.accumulate == 0:
                self.opt.step()
        return float(np.mean(losses))

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        inter = union = 0
        for x, y in self.val_loader:
            pred = self.net(x) > 0
            y = y > 0.5
            inter += (pred & y).sum().item()
            union += (pred | y).sum().item()
        return inter / union

    def fit(self, epochs):
        for ep in range(epochs):
            tl = self.train_epoch()
            print(f"[{ep:02d}] loss={tl:.4f}  IoU={self.validate():.4f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    z = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cells.npz"))
    im, ma = z["images"], z["masks"]
    mk = lambda s, tr, bs: torch.utils.data.DataLoader(CellDataset(im[s], ma[s], tr), batch_size=bs, shuffle=tr)
    Trainer(UNet(), mk(slice(0, 160), True, 2), mk(slice(160, 220), False, 30),
            lr=0.1, accumulate=8).fit(6)
