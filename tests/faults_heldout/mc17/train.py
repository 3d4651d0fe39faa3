import argparse

import torch
import torch.nn.functional as F

from rhythm.nets import BeatNet
from rhythm.signals import make_loaders

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="beats.npz")
parser.add_argument("--epochs", type=int, default=6)
parser.add_argument("--amp", choices=["none", "bf16"], default="bf16")
parser.add_argument("--lr", type=float, default=1e-3)


def amp_ctx(flag):
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=flag == "bf16")


def evaluate(net, loader, flag):
    net.eval()
    loss = hit = n = 0
    with torch.no_grad():
        for x, y in loader:
            with amp_ctx(flag):
                out = net(x)
            out = out.float()
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hit / n


def main():
    args = parser.parse_args()
    torch.manual_seed(18)
    train, val = make_loaders(args.data, 400, 32)
    net = BeatNet()
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    for ep in range(args.epochs):
        net.train()
        s = n = 0
        for x, y in train:
            with amp_ctx(args.amp):
                out = net(x)
                loss = F.cross_entropy(out.float(), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            s += loss.item() * len(y)
            n += len(y)
        sched.step()
        vl, va = evaluate(net, val, args.amp)
        print(f"ep {ep:2d}  train {s / n:.4f}  val {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
