import argparse
import os

import numpy as np
import torch
import torch.nn.functional as F

from qat.fake import set_quant
from qat.net import build


def batches(x, y, size, gen):
    for idx in torch.randperm(len(x), generator=gen).split(size):
        yield x[idx], y[idx]


@torch.no_grad()
def acc(net, x, y):
    net.eval()
    return (net(x).argmax(1) == y).float().mean().item()


def stage(name, net, data, epochs, lr, gen, log_every, freeze_ranges_at=None):
    (x, y), (xv, yv) = data
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs, eta_min=lr / 50)
    for ep in range(1, epochs + 1):
        if freeze_ranges_at is not None and ep == freeze_ranges_at:
            set_quant(net, True, observe=False)
        net.train()
        total = 0.0
        for xb, yb in batches(x, y, 64, gen):
            loss = F.cross_entropy(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        if ep % log_every == 0:
            print(f"{name} epoch {ep:2d} loss {total / len(x):.4f} train {acc(net, x, y):.4f} val {acc(net, xv, yv):.4f}")


def main():
    ap = argparse.ArgumentParser(description="float training, then quantisation-aware fine-tuning")
    ap.add_argument("--w-bits", type=int, default=2)
    ap.add_argument("--a-bits", type=int, default=4)
    ap.add_argument("--float-epochs", type=int, default=24)
    ap.add_argument("--qat-epochs", type=int, default=20)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    gen = torch.Generator().manual_seed(a.seed)
    z = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "digits8x8.npz"))
    x = torch.from_numpy(z["x"]).float().unsqueeze(1) / 16
    y = torch.from_numpy(z["y"]).long()
    data = (x[:1400], y[:1400]), (x[1400:], y[1400:])
    net = build(a.w_bits, a.a_bits)

    set_quant(net, False)
    stage("float", net, data, a.float_epochs, 4e-3, gen, 4)
    full = acc(net, *data[1])
    set_quant(net, True)
    direct = acc(net, *data[1])
    print(f"rounded without fine-tuning: {direct:.4f} (float {full:.4f})")
    stage("quant", net, data, a.qat_epochs, 2e-3, gen, 2, freeze_ranges_at=a.qat_epochs // 2)
    print(f"W{a.w_bits}A{a.a_bits} after fine-tuning: {acc(net, *data[1]):.4f}")


if __name__ == "__main__":
    main()
