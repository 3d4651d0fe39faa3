"""Land cover (field / water / wood) from aerial tiles with a small U-shaped net on random crops."""
import argparse
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES = ["field", "water", "wood"]


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


class CropSource:
    def __init__(self, images, masks, crop):
        self.images, self.masks, self.crop = images, masks, crop

    def batch(self, n):
        xs, ys = [], []
        for _ in range(n):
            k = np.random.randint(len(self.images))
            r, c = np.random.randint(0, self.images.shape[1] - self.crop + 1, 2)
            win = np.s_[k, r:r + self.crop, c:c + self.crop]
            x, y = self.images[win], self.masks[win]
            turns = np.random.randint(4)
            xs.append(np.rot90(x, turns).copy())
            ys.append(np.rot90(y, turns).copy())
        return torch.from_numpy(np.stack(xs))[:, None], torch.from_numpy(np.stack(ys))


class MiniUNet(nn.Module):
    def __init__(self, c=12, classes=3):
        super().__init__()
        self.a = self.stage(1, c)
        self.b = self.stage(c, 2 * c)
        self.c = self.stage(2 * c, 2 * c)
        self.d = self.stage(4 * c, 2 * c)
        self.e = self.stage(3 * c, c)
        self.out = nn.Conv2d(c, classes, 1)

    @staticmethod
    def stage(i, o):
        return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(),
                             nn.Conv2d(o, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())

    def forward(self, x):
        a = self.a(x)
        b = self.b(F.max_pool2d(a, 2))
        c = self.c(F.max_pool2d(b, 2))
        d = self.d(torch.cat([F.interpolate(c, scale_factor=2), b], 1))
        return self.out(self.e(torch.cat([F.interpolate(d, scale_factor=2), a], 1)))


@torch.no_grad()
def evaluate(model, source, seed, rounds=2, size=12):
    set_seed(seed)  # comparable numbers
    model.eval()
    inter, union, loss = torch.zeros(3), torch.zeros(3), 0.0
    for _ in range(rounds):
        x, y = source.batch(size)
        logits = model(x)
        loss += F.cross_entropy(logits, y).item() / rounds
        guess = logits.argmax(1)
        for k in range(3):
            inter[k] += ((guess == k) & (y == k)).sum()
            union[k] += ((guess == k) | (y == k)).sum()
    model.train()
    return loss, inter / union


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=400)
    ap.add_argument("--eval-every", type=int, default=5)
    ap.add_argument("--batch", type=int, default=4)
    ap.add_argument("--crop", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=19)
    args = ap.parse_args()
    set_seed(args.seed)

    z = np.load("tiles.npz")
    images = z["image"].astype(np.float32) / 255
    images = (images - images[:8].mean()) / images[:8].std()
    masks = z["mask"].astype(np.int64)
    train, val = CropSource(images[:8], masks[:8], args.crop), CropSource(images[8:], masks[8:], args.crop)

    model = MiniUNet()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)
    run = 0.0
    for step in range(1, args.steps + 1):
        x, y = train.batch(args.batch)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        run += loss.item() / args.eval_every
        if step % args.eval_every == 0:
            vl, iou = evaluate(model, val, args.seed)
            if step % (8 * args.eval_every) == 0:
                per = " ".join(f"{n} {v:.2f}" for n, v in zip(CLASSES, iou.tolist()))
                print(f"step {step:4d} train {run:.4f} val {vl:.4f} mIoU {iou.mean():.3f} ({per})")
            run = 0.0


if __name__ == "__main__":
    main()
