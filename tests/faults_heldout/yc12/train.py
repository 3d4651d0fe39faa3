"""Few-label promoter detection on top of a pretrained sequence encoder."""
import argparse
from pathlib import Path

import torch

from promoter.data import make_loaders
from promoter.nets import PromoterClassifier
from promoter.nets.pretrained import load_pretrained
from promoter.train import Finetuner, TrainArgs

HERE = Path(__file__).resolve().parent


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=15)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--layer-decay", type=float, default=0.6)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--seed", type=int, default=41)
    p.add_argument("--encoder", default="assets/encoder.pt")
    return p.parse_args()


def main():
    a = parse()
    torch.manual_seed(a.seed)
    train, val = make_loaders(HERE / "assets" / "promoters.txt", a.batch_size)
    model = PromoterClassifier()
    load_pretrained(model, HERE / a.encoder)
    tuner = Finetuner(model, TrainArgs(a.epochs, a.lr, a.layer_decay))
    tuner.fit(train, val)


if __name__ == "__main__":
    main()
