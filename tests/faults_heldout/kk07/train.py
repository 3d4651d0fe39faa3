"""Super-resolve coarse displacement maps of a loaded plate (values in metres)."""
import argparse
import time

import torch
from torch.utils.data import DataLoader

from plates import PlateDataset
from refiner import Refiner


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--amp", choices=["off", "bf16", "fp16"], default="fp16")
    p.add_argument("--seed", type=int, default=31)
    return p.parse_args()


AMP = {"off": None, "bf16": torch.bfloat16, "fp16": torch.float16}


def autocast(kind):
    return torch.autocast("cpu", dtype=AMP[kind] or torch.bfloat16, enabled=AMP[kind] is not None)


def relative_error(model, loader, kind):
    model.eval()
    num = den = 0.0
    with torch.no_grad(), autocast(kind):
        for coarse, fine in loader:
            out = model(coarse)
            num += (out.float() - fine).square().sum().item()
            den += fine.square().sum().item()
    return (num / den) ** 0.5


def main():
    opt = options()
    torch.manual_seed(opt.seed)
    train = DataLoader(PlateDataset(320, seed=1), opt.batch_size, shuffle=True)
    test = DataLoader(PlateDataset(96, seed=2), 32)
    model = Refiner()
    optim = torch.optim.Adam(model.parameters(), lr=opt.lr)
    for epoch in range(opt.epochs):
        model.train()
        t0, total = time.time(), 0.0
        for coarse, fine in train:
            optim.zero_grad()
            with autocast(opt.amp):
                out = model(coarse)
                loss = torch.nn.functional.mse_loss(out.float(), fine)
            loss.backward()
            optim.step()
            total += loss.item()
        err = relative_error(model, test, opt.amp)
        print(f"epoch {epoch + 1:2d} mse {total / len(train):.3e} rel.err {err:.4f} ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
