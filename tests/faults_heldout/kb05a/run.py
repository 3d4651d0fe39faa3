import argparse
from pathlib import Path

import torch

from nucseg import data, engine, net

ap = argparse.ArgumentParser(description="nuclei segmentation")
ap.add_argument("--epochs", type=int, default=18)
ap.add_argument("--batch", type=int, default=16)
ap.add_argument("--lr", type=float, default=0.05)
ap.add_argument("--clip", type=float, default=1.0, help="max gradient norm")
ap.add_argument("--seed", type=int, default=1)
opts = ap.parse_args()

torch.manual_seed(opts.seed)
train, val = data.read(Path(__file__).parent / "nuclei.npz")
engine.fit(net.MiniUNet(), train, val, opts)
