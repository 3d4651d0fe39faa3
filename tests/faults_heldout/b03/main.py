import argparse
import math
import time

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from models import Mixer


def get_args():
    p = argparse.ArgumentParser("digits mixer")
    p.add_argument("--blr", type=float, default=4e-3, help="base learning rate: absolute_lr = base_lr * total_batch_size / 256")
    p.add_argument("--lr", type=float, default=None, help="absolute lr, overrides --blr")
    p.add_argument("--batch_size", type=int, default=128)
    p.add_argument("--accum_iter", type=int, default=1)
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--warmup_epochs", type=int, default=2)
    p.add_argument("--min_lr", type=float, default=0.0)
    p.add_argument("--weight_decay", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def adjust_lr(opt, epoch, args):
    if epoch < args.warmup_epochs:
        lr = args.lr * epoch / args.warmup_epochs
    else:
        t = (epoch - args.warmup_epochs) / (args.epochs - args.warmup_epochs)
        lr = args.min_lr + (args.lr - args.min_lr) * 0.5 * (1 + math.cos(math.pi * t))
    for g in opt.param_groups:
        g["lr"] = lr
    return lr


def shift(x):
    # random one-pixel translations
    pad = F.pad(x, (1, 1, 1, 1))
    dx, dy = torch.randint(0, 3, (2,)).tolist()
    return pad[:, :, dy:dy + 8, dx:dx + 8]


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 8.0 - 1.0
    y = torch.tensor(d.target)
    tr, te = train_test_split(torch.arange(len(y)).numpy(), test_size=0.25, random_state=args.seed, stratify=d.target)
    xtr, ytr, xte, yte = x[tr], y[tr], x[te], y[te]

    model = Mixer()
    eff_batch_size = args.batch_size * args.accum_iter
    if args.lr is None:
        args.lr = args.blr * eff_batch_size
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.95), weight_decay=args.weight_decay)

    n_it = len(xtr) // args.batch_size
    for epoch in range(args.epochs):
        model.train()
        t0, s = time.time(), 0.0
        perm = torch.randperm(len(xtr))
        for it in range(n_it):
            adjust_lr(opt, epoch + (it + 1) / n_it, args)
            b = perm[it * args.batch_size:(it + 1) * args.batch_size]
            loss = F.cross_entropy(model(shift(xtr[b])), ytr[b])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            s += loss.item()
        model.eval()
        with torch.no_grad():
            acc = (model(xte).argmax(1) == yte).float().mean().item()
        print(f"epoch {epoch:2d} train_loss {s/n_it:.4f} test_acc {acc*100:.2f} ({time.time()-t0:.1f}s)")


if __name__ == "__main__":
    main()
