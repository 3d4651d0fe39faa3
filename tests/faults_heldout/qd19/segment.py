"""Finds scratches on solar panels. One panel at a time, as the inspection line delivers them."""
import tomllib

import numpy as np
import torch
from torch import nn


def stage(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.SiLU())


class UNet(nn.Module):
    def __init__(self, w=12):
        super().__init__()
        self.d1, self.d2, self.mid = stage(1, w), stage(w, 2 * w), stage(2 * w, 2 * w)
        self.u2, self.u1 = stage(4 * w, w), stage(2 * w, w)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2)
        self.out = nn.Conv2d(w, 1, 1)
        nn.init.constant_(self.out.bias, -3.0)  # about the share of scratched pixels

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        c = self.mid(self.pool(b))
        b = self.u2(torch.cat([self.up(c), b], 1))
        return self.out(self.u1(torch.cat([self.up(b), a], 1)))


def load(file):
    z = np.load(file)
    x = torch.from_numpy(z["gray"].astype(np.float32) / 63).unsqueeze(1)
    y = np.unpackbits(z["scratch"], axis=1).reshape(len(x), 1, 32, 32)
    return x, torch.from_numpy(y.astype(np.float32))


@torch.no_grad()
def dice(model, x, y):
    model.eval()
    inter = size = 0.0
    for a, b in zip(x.split(40), y.split(40)):
        p = (model(a) > 0).float()
        inter += (p * b).sum().item()
        size += (p.sum() + b.sum()).item()
    return 2 * inter / size


def main():
    cfg = tomllib.load(open("config.toml", "rb"))
    t = cfg["train"]
    torch.manual_seed(t["seed"])
    x, y = load(cfg["data"]["file"])
    n = cfg["data"]["train"]
    mean, std = x[:n].mean(), x[:n].std()
    x = (x - mean) / std
    xtr, ytr, xte, yte = x[:n], y[:n], x[n:], y[n:]

    # the darkest pixels are not enough, spots are as dark as scratches
    cand = xte.flatten().sort().values[int(len(xte.flatten()) * float(yte.mean()))]
    p = (xte < cand).float()
    print(f"darkest pixels: dice {2 * (p * yte).sum().item() / (p.sum() + yte.sum()).item():.3f}")

    model = UNet()
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(t["positive_weight"]))
    opt = torch.optim.AdamW(model.parameters(), lr=t["lr"], weight_decay=1e-3)
    k = t["accumulate"]
    total_updates = t["epochs"] * (n // k)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=2 * t["lr"], total_steps=total_updates)
    for epoch in range(t["epochs"]):
        model.train()
        s = 0.0
        opt.zero_grad()
        for i, j in enumerate(torch.randperm(n).tolist()):
            shot, mask = xtr[j:j + 1], ytr[j:j + 1]
            if torch.rand(()) < 0.5:
                shot, mask = shot.flip(3), mask.flip(3)
            if torch.rand(()) < 0.5:
                shot, mask = shot.flip(2), mask.flip(2)
            loss = criterion(model(shot), mask)
            (loss / k).backward()
            s += loss.item()
            if (i + 1) % k == 0:
                opt.step()
                sched.step()
                opt.zero_grad()
        print(f"epoch {epoch + 1}  bce {s / n:.4f}  dice train {dice(model, xtr, ytr):.3f}  test {dice(model, xte, yte):.3f}")


if __name__ == "__main__":
    main()
