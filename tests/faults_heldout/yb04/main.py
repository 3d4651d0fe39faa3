import argparse
import tomllib
from pathlib import Path

import torch

from digits.data import make_loaders
from digits.engine import Engine
from digits.net import DigitNet

OPTIMIZERS = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD, "rmsprop": torch.optim.RMSprop}


def build_optimizer(params, cfg):
    cls = OPTIMIZERS[cfg["name"].lower()]
    return cls(params, lr=cfg["learning_rate"], weight_decay=cfg["weight_decay"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("config", nargs="?", default="config.toml")
    parser.add_argument("--seed", type=int, default=1234)
    args = parser.parse_args()

    with open(Path(__file__).parent / args.config, "rb") as fh:
        cfg = tomllib.load(fh)

    torch.manual_seed(args.seed)
    train_loader, test_loader = make_loaders(cfg["data"], cfg["optim"]["batch_size"])
    model = DigitNet(**cfg["model"])
    engine = Engine(model, build_optimizer(model.parameters(), cfg["optim"]))

    for epoch in range(1, cfg["optim"]["epochs"] + 1):
        train_loss = engine.train_epoch(train_loader)
        test_loss, test_acc = engine.evaluate(test_loader)
        print(
            f"epoch {epoch:02d} step {engine.step:5d} | train loss {train_loss:.4f} "
            f"| test loss {test_loss:.4f} | test acc {100 * test_acc:.2f}%"
        )


if __name__ == "__main__":
    main()
