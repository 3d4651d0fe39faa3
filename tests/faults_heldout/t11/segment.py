import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def blobs(n, seed, size=24):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size]
    imgs, masks = [], []
    for _ in range(n):
        m = np.zeros((size, size), bool)
        for _ in range(rng.integers(1, 4)):
            cy, cx = rng.uniform(3, size - 3, 2)
            a, b = rng.uniform(2, 6, 2)
            m |= ((yy - cy) / a) ** 2 + ((xx - cx) / b) ** 2 < 1
        bg = rng.uniform(-.5, .5) + 0.03 * xx * rng.uniform(-1, 1)
        imgs.append(bg + m * rng.uniform(.8, 1.4) + rng.normal(0, .35, m.shape))
        masks.append(m)
    f = lambda a: torch.tensor(np.array(a), dtype=torch.float32)[:, None]
    return torch.utils.data.TensorDataset(f(imgs), f(masks))


class MiniUNet(nn.Module):
    def __init__(self, c=10, p=0.4):
        super().__init__()
        self.d1 = self.block(1, c)
        self.d2 = self.block(c, 2 * c)
        self.mid = nn.Sequential(self.block(2 * c, 4 * c), nn.Dropout(p))
        self.u2 = self.block(6 * c, 2 * c)
        self.u1 = self.block(3 * c, c)
        self.drop = nn.Dropout(p)
        self.out = nn.Conv2d(c, 1, 1)

    @staticmethod
    def block(i, o):
        return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        m = self.mid(F.max_pool2d(b, 2))
        u = self.u2(torch.cat([F.interpolate(m, scale_factor=2), b], 1))
        u = self.u1(torch.cat([F.interpolate(u, scale_factor=2), a], 1))
        return self.out(self.drop(u))


class Trainer:
    def __init__(self, model, train, val, lr):
        self.model, self.train_dl, self.val_dl = model, train, val
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.best_iou = 0.0

    def train_one_epoch(self):
        self.model.train()
        tot = 0.0
        for img, mask in self.train_dl:
            loss = F.binary_cross_entropy_with_logits(self.model(img), mask)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            tot += loss.item()
        return tot / len(self.train_dl)

    def validate(self):
        inter = union = loss = 0.0
        with torch.no_grad():
            for img, mask in self.val_dl:
                out = self.model(img)
                loss += F.binary_cross_entropy_with_logits(out, mask).item() / len(self.val_dl)
                p = out > 0
                inter += (p & mask.bool()).sum().item()
                union += (p | mask.bool()).sum().item()
        return loss, inter / max(union, 1)

    def fit(self, epochs):
        for e in range(epochs):
            tl = self.train_one_epoch()
            vl, iou = self.validate()
            self.best_iou = max(self.best_iou, iou)
            print(f"epoch {e} train {tl:.4f} val {vl:.4f} iou {iou:.4f}")
        print("best iou", round(self.best_iou, 4))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    torch.manual_seed(6)
    tr = torch.utils.data.DataLoader(blobs(480, 0), batch_size=24, shuffle=True)
    va = torch.utils.data.DataLoader(blobs(120, 1), batch_size=2)
    Trainer(MiniUNet(), tr, va, args.lr).fit(args.epochs)
