import argparse
import logging
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from meters import MeterReader, load_labelled

log = logging.getLogger("finetune")
BASE = Path(__file__).resolve().parent


def build(weights, classes):
    model = MeterReader(classes)
    state = torch.load(weights, map_location="cpu", weights_only=True)
    # the published file also carries the old classifier, which we do not use
    model.backbone.load_state_dict(state["model"], strict=False)
    for p in model.backbone.parameters():
        p.requires_grad_(False)
    return model


def score(model, loader):
    model.eval()
    n = ok = 0
    loss = 0.0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
            ok += (out.argmax(1) == y).sum().item()
            n += y.numel()
    return loss / n, ok / n


def main():
    ap = argparse.ArgumentParser(description="Fit the reading head on a customer's labelled dials")
    ap.add_argument("--weights", default=str(BASE / "weights" / "digits_backbone.pt"))
    ap.add_argument("--train", default=str(BASE / "data" / "dials_train.npz"))
    ap.add_argument("--valid", default=str(BASE / "data" / "dials_valid.npz"))
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--batch", type=int, default=25)
    ap.add_argument("--seed", type=int, default=2)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(args.seed)

    train, valid = load_labelled(args.train), load_labelled(args.valid)
    train_dl = DataLoader(train, batch_size=args.batch, shuffle=True)
    valid_dl = DataLoader(valid, batch_size=256)
    model = build(args.weights, classes=10)
    optimizer = torch.optim.Adam(model.head.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)

    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for x, y in train_dl:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * y.numel()
        scheduler.step()
        if epoch % 5 == 4:
            v, a = score(model, valid_dl)
            log.info("epoch %3d train %.4f valid %.4f accuracy %.3f", epoch + 1, total / len(train), v, a)


if __name__ == "__main__":
    main()
