"""Fit an implicit neural representation to one picture."""
import math
from pathlib import Path

import torch

from inr import FourierField, Options, PixelSampler, load_picture


def psnr(mse):
    return -10 * math.log10(max(mse, 1e-12))


def main():
    opt = Options.from_cli()
    torch.manual_seed(opt.seed)
    coords, colors = load_picture(Path(__file__).parent / opt.picture)
    sampler = PixelSampler(coords, colors, opt.holdout, opt.batch)
    field = FourierField(opt.features, opt.bandwidth, opt.width, opt.depth)
    optimizer = torch.optim.Adam(field.parameters(), lr=opt.lr)
    print(f"{len(coords)} pixels, {len(sampler)} batches per epoch, {sum(p.numel() for p in field.parameters())} weights")

    step = 0
    for epoch in range(1, opt.epochs + 1):
        for xy, rgb in sampler:
            optimizer.zero_grad()
            loss = torch.mean((field(xy) - rgb) ** 2)
            loss.backward()
            optimizer.step()
            step += 1
            if step % 6 == 0:
                print(f"  step {step:4d}  loss {loss.item():.5f}")
        with torch.no_grad():
            xy, rgb = sampler.held
            held = torch.mean((field(xy) - rgb) ** 2).item()
        print(f"epoch {epoch}  held-out mse {held:.5f}  psnr {psnr(held):.2f} dB")


if __name__ == "__main__":
    main()
