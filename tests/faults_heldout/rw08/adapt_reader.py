"""Moves the digit reader to the new scanner, which delivers negatives in portrait orientation."""
import argparse
import logging

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

from backbone import Backbone
from lowrank import adapt

log = logging.getLogger("adapt")


def new_scanner():
    raw = load_digits()
    pages = np.rot90(16.0 - raw.images, axes=(1, 2))
    x = torch.tensor(np.ascontiguousarray(pages), dtype=torch.float32).flatten(1) / 16.0 - 0.5
    y = torch.tensor(raw.target)
    a, b = train_test_split(np.arange(len(y)), test_size=0.3, stratify=y, random_state=0)
    return x[a], y[a], x[b], y[b]


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--weights", default="reader.pt")
    cli.add_argument("--rank", type=int, default=8)
    cli.add_argument("--alpha", type=float, default=16.0)
    cli.add_argument("--epochs", type=int, default=25)
    cli.add_argument("--lr", type=float, default=1e-3)
    args = cli.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(9)

    backbone = Backbone()
    backbone.load_state_dict(torch.load(args.weights))
    adapt(backbone, args.rank, args.alpha)
    model = nn.Sequential(backbone, nn.LayerNorm(96), nn.Linear(96, 10))
    trainable = [p for p in model.parameters() if p.requires_grad]
    log.info("training %d of %d weights", sum(p.numel() for p in trainable), sum(p.numel() for p in model.parameters()))
    optimizer = torch.optim.AdamW(trainable, lr=args.lr, weight_decay=0.01)
    loss_fn = nn.CrossEntropyLoss()

    x, y, xv, yv = new_scanner()
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for rows in torch.randperm(len(x)).split(32):
            loss = loss_fn(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            out = model(xv)
            log.info("epoch %d: loss %.4f, check loss %.4f, check accuracy %.4f", epoch + 1, sum(losses) / len(losses),
                     loss_fn(out, yv).item(), (out.argmax(1) == yv).float().mean().item())


if __name__ == "__main__":
    main()
