"""Cell nuclei segmentation on simulated microscope tiles."""
import argparse
import copy
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--steps", type=int, default=260)
    p.add_argument("--batch-size", type=int, default=12)
    p.add_argument("--size", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--momentum", type=float, default=0.9)
    p.add_argument("--width", type=int, default=12)
    p.add_argument("--ema-decay", type=float, default=0.97, help="decay of the weight average used for evaluation")
    p.add_argument("--eval-every", type=int, default=52)
    p.add_argument("--seed", type=int, default=4)
    return p.parse_args()


def make_tiles(n, size, g):
    """Elliptic nuclei on an uneven background, returns images and masks."""
    yy, xx = torch.meshgrid(torch.arange(size).float(), torch.arange(size).float(), indexing="ij")
    img = torch.zeros(n, size, size)
    mask = torch.zeros(n, size, size)
    for i in range(n):
        tilt = torch.randn(2, generator=g) * 0.4
        img[i] = tilt[0] * (yy / size - 0.5) + tilt[1] * (xx / size - 0.5)
        for _ in range(int(torch.randint(1, 5, (1,), generator=g))):
            cy, cx, a, b, ang, bright = torch.rand(6, generator=g).tolist()
            cy, cx, ang = cy * size, cx * size, ang * math.pi
            a, b = 3 + 4 * a, 3 + 4 * b
            u = (yy - cy) * math.cos(ang) + (xx - cx) * math.sin(ang)
            v = -(yy - cy) * math.sin(ang) + (xx - cx) * math.cos(ang)
            inside = (u / a) ** 2 + (v / b) ** 2 < 1
            img[i][inside] += 0.6 + 0.5 * bright
            mask[i][inside] = 1.0
    img += 0.35 * torch.randn(img.shape, generator=g)
    return img.unsqueeze(1), mask.unsqueeze(1)


def conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.SiLU())


class SmallUNet(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.d1 = conv(1, w)
        self.d2 = conv(w, 2 * w)
        self.mid = conv(2 * w, 2 * w)
        self.u1 = conv(3 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.mid(self.d2(F.max_pool2d(a, 2)))
        b = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.out(self.u1(torch.cat([a, b], 1)))


def dice_bce(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    dice = (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)
    return F.binary_cross_entropy_with_logits(logits, mask) + (1 - dice).mean()


class WeightAverage:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for avg, cur in zip(self.model.parameters(), model.parameters()):
            avg.lerp_(cur, 1 - self.decay)


@torch.no_grad()
def iou(model, images, masks):
    pred = model(images) > 0
    truth = masks > 0.5
    inter = (pred & truth).sum((1, 2, 3)).float()
    union = (pred | truth).sum((1, 2, 3)).float()
    return (inter / union.clamp(min=1)).mean().item()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    g = torch.Generator().manual_seed(args.seed)
    images, masks = make_tiles(320, args.size, g)
    val_images, val_masks = make_tiles(80, args.size, g)
    print(f"{len(images)} tiles, {masks.mean():.2f} of the area is nucleus")

    net = SmallUNet(args.width)
    ema = WeightAverage(net, args.ema_decay)
    opt = torch.optim.SGD(net.parameters(), args.lr, momentum=args.momentum, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, args.steps, power=0.9)

    t0, running = time.time(), 0.0
    for step in range(1, args.steps + 1):
        idx = torch.randint(len(images), (args.batch_size,))
        x, m = images[idx], masks[idx]
        if torch.rand(()) < 0.5:
            x, m = x.flip(-1), m.flip(-1)
        loss = dice_bce(net(x), m)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        ema.update(net)
        running += loss.item()
        if step % args.eval_every == 0:
            score = iou(ema.model, val_images, val_masks)
            print(f"step {step:4d}  loss {running / args.eval_every:.4f}  val IoU {score:.4f}  {time.time() - t0:.1f}s")
            running = 0.0


if __name__ == "__main__":
    main()
