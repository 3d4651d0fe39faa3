import argparse
import configparser

import torch

from net import make_net
from spectra import load
from trainer import Trainer


def main():
    ap = argparse.ArgumentParser(description="Polymer sorting from near-infrared reflectance")
    ap.add_argument("--settings", default="settings.ini")
    ap.add_argument("--seed", type=int)
    args = ap.parse_args()

    cfg = configparser.ConfigParser()
    cfg.read(args.settings)
    torch.manual_seed(cfg.getint("run", "seed") if args.seed is None else args.seed)

    train, test, names = load(cfg["data"]["file"], cfg.getfloat("data", "test_share"))
    net = make_net(train[0][0].numel(), len(names), cfg.getint("model", "width"), cfg.getfloat("model", "dropout"))
    trainer = Trainer(net, cfg["optim"])
    trainer.fit(train, test)
    loss, acc = trainer.score(test)
    print(f"final: {len(names)} polymers, {len(test)} test flakes, loss {loss:.4f}, accuracy {acc:.4f}")


if __name__ == "__main__":
    main()
