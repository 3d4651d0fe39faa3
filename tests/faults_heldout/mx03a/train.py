"""Cavitation detector for centrifugal pumps (1-D CNN over three accelerometer axes)."""
import argparse
import json

import torch
from torch.utils.data import DataLoader

from pumps.engine import evaluate, run_epoch
from pumps.features.recordings import load_recordings
from pumps.models import MODELS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", default="settings.json")
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()

    with open(args.settings) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"] if args.seed is None else args.seed)

    train_set, test_set = load_recordings(cfg["recordings"])
    train_loader = DataLoader(
        train_set, batch_size=cfg["training"]["batch_size"], shuffle=True
    )
    test_loader = DataLoader(test_set, batch_size=256)

    net = MODELS[cfg["model"]["name"]](**cfg["model"]["kwargs"])
    optimizer = torch.optim.Adam(net.parameters(), lr=cfg["training"]["lr"])
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer,
        max_lr=cfg["training"]["lr"],
        epochs=cfg["training"]["epochs"],
        steps_per_epoch=len(train_loader),
    )

    for epoch in range(cfg["training"]["epochs"]):
        loss, acc = run_epoch(net, train_loader, optimizer, schedule)
        if (epoch + 1) % cfg["training"]["report_every"] == 0:
            print(f"{epoch + 1:>3}: loss={loss:.4f} acc={acc:.3f}")

    result = evaluate(net, test_loader)
    print(
        f"test: n={result['n']} loss={result['loss']:.4f} "
        f"acc={result['acc']:.3f} recall={result['recall']:.3f}"
    )


if __name__ == "__main__":
    main()
