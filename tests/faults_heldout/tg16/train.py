import argparse
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from cells import collection


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(),
                         nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())


class SmallUNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.down, self.mid, self.up = block(1, c), block(c, 2 * c), block(3 * c, c)
        self.head = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = self.down(x)
        b = self.mid(F.max_pool2d(a, 2))
        b = F.interpolate(b, size=a.shape[-2:], mode="bilinear", align_corners=False)
        return self.head(self.up(torch.cat([a, b], 1)))


def dice(prob, mask):
    hard = (prob > 0.5).float()
    return (2 * (hard * mask).sum() / (hard.sum() + mask.sum()).clamp(min=1)).item()


@torch.no_grad()
def evaluate(net, items):
    net.eval()
    plain, averaged = [], []
    for img, mask in items:
        x = img[None]
        views = [(), (3,), (2,), (2, 3)]
        p = [torch.sigmoid(net(x.flip(v))).flip(v)[0] for v in views]
        plain.append(dice(p[0], mask))
        averaged.append(dice(torch.stack(p).mean(0), mask))
    return np.mean(plain), np.mean(averaged)


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--seed", type=int, default=6)
    cli.add_argument("--epochs", type=int, default=8)
    cli.add_argument("--peak-lr", type=float, default=1e-2)
    cli = cli.parse_args()
    torch.manual_seed(cli.seed)
    random.seed(cli.seed)

    # crops differ in size, so they go through one at a time
    train, test = collection(160, 100 + cli.seed), collection(60, 90000 + cli.seed)
    net = SmallUNet()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cli.peak_lr, total_steps=cli.epochs * len(train), pct_start=0.25)
    for epoch in range(cli.epochs):
        net.train()
        random.shuffle(train)
        losses = []
        for n, (img, mask) in enumerate(train, 1):
            flips = [d for d in (1, 2) if random.random() < 0.5]
            loss = F.binary_cross_entropy_with_logits(net(img.flip(flips)[None]), mask.flip(flips)[None])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
            if n % 40 == 0:
                print(f"  epoch {epoch + 1} crop {n:3d} lr {sched.get_last_lr()[0]:.5f} loss {loss.item():.4f}")
        plain, averaged = evaluate(net, test)
        print(f"epoch {epoch + 1} loss {np.mean(losses):.4f} dice {plain:.4f} dice with flips averaged {averaged:.4f}")
