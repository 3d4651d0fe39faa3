import argparse

import torch

from survnet.cohort import FEATURES, load
from survnet.fit import Fitter
from survnet.hazard import HazardNet


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="cohort.csv")
    ap.add_argument("--bins", type=int, default=12)
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--batch-size", type=int, default=64)
    args = ap.parse_args()

    torch.manual_seed(11)
    train, test = load(args.data, args.bins, seed=11)
    net = HazardNet(len(FEATURES), args.bins)
    fitter = Fitter(net, args.lr, 1e-3, args.batch_size)

    for ep in range(1, args.epochs + 1):
        tr = fitter.epoch(train)
        nll, ci = fitter.evaluate(test)
        g = fitter.monitor.flush()
        print(f"[{ep:02d}] train nll {tr:.4f}  test nll {nll:.4f}  c-index {ci:.3f}  "
              f"|g| body {g['body.0.weight']:.3f} head {g['hazard.weight']:.3f}")


if __name__ == "__main__":
    main()
