"""Find rod-shaped cells among round debris. Slides come one at a time."""
import argparse
import os
import queue
import random
import threading

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def read_slide(archive, i):
    img = archive[f"image_{i:03d}"]
    mask = np.unpackbits(archive[f"mask_{i:03d}"])[: img.size].reshape(img.shape)
    return torch.from_numpy(img).float() / 255, torch.from_numpy(mask).float()


class Prefetch:
    """Reads and augments in a thread, a few slides ahead of the training loop."""

    def __init__(self, path, ids, depth=6, augment=False, seed=0):
        self.archive, self.ids, self.depth, self.augment = np.load(path), list(ids), depth, augment
        self.rng = random.Random(seed)

    def _produce(self, q, ids):
        for i in ids:
            x, m = read_slide(self.archive, i)
            if self.augment:
                k, flip = self.rng.randrange(4), self.rng.random() < 0.5
                x, m = torch.rot90(x, k), torch.rot90(m, k)
                if flip:
                    x, m = x.flip(0), m.flip(0)
            x = (x - x.mean()) / (x.std() + 1e-6)
            q.put((x[None, None], m[None, None]))
        q.put(None)

    def __iter__(self):
        ids = self.ids[:]
        if self.augment:
            self.rng.shuffle(ids)
        q = queue.Queue(self.depth)
        worker = threading.Thread(target=self._produce, args=(q, ids), daemon=True)
        worker.start()
        while (item := q.get()) is not None:
            yield item
        worker.join()


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.GroupNorm(4, o), nn.ReLU(inplace=True),
                         nn.Conv2d(o, o, 3, padding=1, bias=False), nn.GroupNorm(4, o), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, w=12):
        super().__init__()
        self.d1, self.d2, self.mid = conv(1, w), conv(w, 2 * w), conv(2 * w, 2 * w)
        self.u2, self.u1 = conv(4 * w, w), conv(2 * w, w)
        self.out = nn.Conv2d(w, 1, 1)
        nn.init.constant_(self.out.bias, -3.0)      # rods cover a few percent of a slide

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.mid(F.max_pool2d(b, 2))
        c = self.u2(torch.cat([F.interpolate(c, scale_factor=2), b], 1))
        c = self.u1(torch.cat([F.interpolate(c, scale_factor=2), a], 1))
        return self.out(c)


def soft_dice(logit, mask, eps=1.0):
    p = torch.sigmoid(logit)
    return 1 - (2 * (p * mask).sum() + eps) / (p.sum() + mask.sum() + eps)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    ap = argparse.ArgumentParser()
    ap.add_argument("--slides", default=os.path.join(here, "slides.npz"))
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(3)

    train = Prefetch(args.slides, range(0, 180), augment=True, seed=3)
    val = Prefetch(args.slides, range(180, 230))
    net = UNet()
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.epochs * 180, pct_start=0.15)

    for ep in range(args.epochs):
        net.train()
        run = torch.zeros(())
        for x, m in train:
            z = net(x)
            loss = soft_dice(z, m) + F.binary_cross_entropy_with_logits(z, m)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            run += loss.detach()
        net.eval()
        inter = total = vl = 0.0
        with torch.no_grad():
            for x, m in val:
                z = net(x)
                vl += (soft_dice(z, m) + F.binary_cross_entropy_with_logits(z, m)).item()
                p = (z > 0).float()
                inter += 2 * (p * m).sum().item()
                total += (p.sum() + m.sum()).item()
        print(f"epoch {ep + 1} loss {run.item() / 180:.4f} val {vl / 50:.4f} val dice {inter / max(total, 1):.4f}")


if __name__ == "__main__":
    main()
