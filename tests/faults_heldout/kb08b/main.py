import argparse
import os

import numpy as np
import torch
from torch.utils.data import TensorDataset

from ocr.model import make_net
from ocr.trainer import Trainer


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "scans.npz"))
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    z = np.load(args.data)
    x = torch.from_numpy(z["x"]).float().unsqueeze(1)
    x = (x - 4.9) / 6.0
    y = torch.from_numpy(z["y"])
    perm = torch.randperm(len(x))
    val, train = perm[:360], perm[360:]
    trainer = Trainer(make_net(), TensorDataset(x[train], y[train]), TensorDataset(x[val], y[val]),
                      args.batch_size, args.lr, args.epochs)
    trainer.run()


if __name__ == "__main__":
    main()
