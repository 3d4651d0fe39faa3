import argparse

import torch

from lens.field import PixelField
from lens.fit import fit
from lens.picture import split_pixels, telescope_frame

DTYPES = {"fp32": torch.float32, "fp16": torch.float16}


def main():
    ap = argparse.ArgumentParser(description="Fit a compact implicit representation of one telescope frame.")
    ap.add_argument("--size", type=int, default=96)
    ap.add_argument("--steps", type=int, default=320)
    ap.add_argument("--batch", type=int, default=512)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--dtype", choices=DTYPES, default="fp16")
    ap.add_argument("--seed", type=int, default=17)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    train, held_out = split_pixels(*telescope_frame(args.size, gen), share=0.8, gen=gen)
    field = PixelField()
    fit(
        field, train, held_out,
        steps=args.steps, batch=args.batch, lr=args.lr, dtype=DTYPES[args.dtype], gen=gen, report_every=40,
    )


if __name__ == "__main__":
    main()
