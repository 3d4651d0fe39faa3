import json
import sys

import torch

from digitlab.data import loaders
from digitlab.hooks import GradHygiene, GradNorm, Printer
from digitlab.loop import Loop
from digitlab.net import DigitNet


def main(path):
    with open(path) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    train, val = loaders(cfg["batch_size"], cfg["seed"])
    model = DigitNet(**cfg["model"])
    o = cfg["optimizer"]
    optimizer = torch.optim.AdamW(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
    loop = Loop(model, optimizer, [GradNorm(cfg["log_every"]), GradHygiene(), Printer()])
    final = loop.fit(train, val, cfg["epochs"])
    print("final", final)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "config.json")
