import argparse
import logging
import time

import torch
from torch import nn
from torch.utils.data import DataLoader

from events.metrics import FrameScores
from events.picker import Picker
from events.signals import Seismograms

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("fit")


def get_args():
    ap = argparse.ArgumentParser(description="Train the arrival picker")
    ap.add_argument("--traces", type=int, default=800)
    ap.add_argument("--length", type=int, default=256)
    ap.add_argument("--noise", type=float, default=0.45)
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch-size", type=int, default=16)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--momentum", type=float, default=0.9)
    ap.add_argument("--seed", type=int, default=314)
    return ap.parse_args()


def validate(model, loader, criterion):
    model.eval()
    scores, loss = FrameScores(), 0.0
    with torch.no_grad():
        for x, y in loader:
            logits = model(x)
            loss += criterion(logits, y).item()
            scores.update(logits, y)
    return loss, scores.f1


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train_set = Seismograms(args.traces, args.length, args.noise, seed=args.seed)
    val_set = Seismograms(args.traces // 4, args.length, args.noise, seed=args.seed + 1)
    train_loader = DataLoader(train_set, args.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, 100)

    model = Picker()
    criterion = nn.BCEWithLogitsLoss(reduction="sum")
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[args.epochs - 3, args.epochs - 1])

    n_frames_train = len(train_loader) * args.batch_size * args.length
    n_frames_val = len(val_set) * args.length
    for epoch in range(args.epochs):
        tic, epoch_loss = time.time(), 0.0
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        scheduler.step()
        val_loss, f1 = validate(model, val_loader, criterion)
        log.info(
            "epoch %d: train %.4f  val %.4f per frame, val F1 %.3f (%.1fs)",
            epoch, epoch_loss / n_frames_train, val_loss / n_frames_val, f1, time.time() - tic,
        )


if __name__ == "__main__":
    main()
