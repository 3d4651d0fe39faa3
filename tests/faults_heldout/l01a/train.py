"""Meter-dial glyph reader: 8x8 crops labelled by the annotation team, gold-checked test crops."""
import argparse
import logging
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from net import GlyphNet

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("glyphs")
HERE = Path(__file__).resolve().parent


def load(name):
    z = np.load(HERE / "data" / f"{name}.npz")
    x = torch.from_numpy(z["crops"].astype(np.float32) / 16.0).unsqueeze(1)
    y = torch.from_numpy(z["label"].astype(np.int64))
    return x, y


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    loss, hit, n = 0.0, 0, 0
    for x, y in loader:
        out = net(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hit += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hit / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=22)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--weight-decay", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x_tr, y_tr = load("annotated")
    x_te, y_te = load("gold")
    mu, sd = x_tr.mean(), x_tr.std()
    x_tr, x_te = (x_tr - mu) / sd, (x_te - mu) / sd
    train = DataLoader(TensorDataset(x_tr, y_tr), batch_size=args.batch_size, shuffle=True, drop_last=True)
    test = DataLoader(TensorDataset(x_te, y_te), batch_size=256)
    log.info("train %d crops, gold %d crops", len(y_tr), len(y_te))

    net = GlyphNet()
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs * len(train))
    for epoch in range(args.epochs):
        net.train()
        run, hit, n = 0.0, 0, 0
        for x, y in train:
            opt.zero_grad()
            out = net(x)
            loss = F.cross_entropy(out, y)
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        vl, va = evaluate(net, test)
        log.info("epoch %02d train loss %.4f acc %.3f | gold loss %.4f acc %.4f", epoch, run / n, hit / n, vl, va)


if __name__ == "__main__":
    main()
