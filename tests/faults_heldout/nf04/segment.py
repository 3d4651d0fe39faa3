import argparse

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from losses import bce_dice, hard_dice
from net import SmallUNet


class Cells(Dataset):
    def __init__(self, images, masks, stats, augment):
        self.images, self.masks, self.stats, self.augment = images, masks, stats, augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x = (torch.from_numpy(self.images[i]).float() - self.stats[0]) / self.stats[1]
        y = torch.from_numpy(self.masks[i]).float()
        if self.augment:
            if torch.rand(()) < 0.5:
                x, y = x.flip(-1), y.flip(-1)
            k = int(torch.randint(4, ()))
            x, y = torch.rot90(x, k), torch.rot90(y, k)
        return x[None], y[None]


def load(path, n_val, seed):
    z = np.load(path)
    img = z["images"]
    msk = np.unpackbits(z["masks"], axis=1, count=img[0].size).reshape(img.shape)
    idx = np.random.default_rng(seed).permutation(len(img))
    va, tr = idx[:n_val], idx[n_val:]
    stats = (float(img[tr].mean()), float(img[tr].std()))
    return Cells(img[tr], msk[tr], stats, True), Cells(img[va], msk[va], stats, False)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--batch", type=int, default=10)
    p.add_argument("--seed", type=int, default=13)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    train, val = load("cells.npz", 70, a.seed)
    tl = DataLoader(train, a.batch, shuffle=True, drop_last=True)
    vl = DataLoader(val, 35)
    net = SmallUNet()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, a.lr, total_steps=a.epochs * len(tl), pct_start=0.2)
    for ep in range(a.epochs):
        net.train()
        tot = 0.0
        for x, y in tl:
            loss = bce_dice(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        net.eval()
        vloss = dice = 0.0
        with torch.no_grad():
            for x, y in vl:
                out = net(x)
                vloss += bce_dice(out, y).item() * len(x)
                dice += hard_dice(out, y)
        print(f"[{ep + 1}/{a.epochs}] train {tot / len(tl):.4f} val {vloss / len(val):.4f} dice {dice / len(val):.4f}")


if __name__ == "__main__":
    main()
