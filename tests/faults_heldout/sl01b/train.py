import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from showers.io import load_events
from showers.net import ShowerSet


def evaluate(net, loader):
    net.eval()
    loss = right = n = 0
    with torch.no_grad():
        for hits, kind in loader:
            out = net(hits)
            loss += F.cross_entropy(out, kind, reduction="sum").item()
            right += (out.argmax(-1) == kind).sum().item()
            n += len(kind)
    return loss / n, right / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--events", default="events.npz")
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--seed", type=int, default=3)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    fit, held = load_events(a.events)
    fit_dl = DataLoader(fit, a.batch, shuffle=True)
    held_dl = DataLoader(held, 256)
    net = ShowerSet()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(fit_dl))
    for ep in range(a.epochs):
        net.train()
        run = 0.0
        for hits, kind in fit_dl:
            loss = F.cross_entropy(net(hits), kind)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item() * len(kind)
        vl, va = evaluate(net, held_dl)
        print(f"epoch {ep:2d}  train {run / len(fit):.4f}  held-out {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
