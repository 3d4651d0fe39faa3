"""Digit classifier on the csv export of the labelling tool."""
import argparse
import logging
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from dataset import PixelCSV
from net import DigitNet

HERE = Path(__file__).resolve().parent
log = logging.getLogger("digits")


class Trainer:
    def __init__(self, model, optimizer, scheduler):
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler

    def train_epoch(self, loader):
        self.model.train()
        total, hits, n = 0.0, 0, 0
        for x, y in loader:
            logits = self.model(x)
            loss = F.cross_entropy(logits, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            total += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            n += len(y)
        return total / n, hits / n

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        total, hits, n = 0.0, 0, 0
        for x, y in loader:
            logits = self.model(x)
            total += F.cross_entropy(logits, y, reduction="sum").item()
            hits += (logits.argmax(1) == y).sum().item()
            n += len(y)
        return total / n, hits / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(args.seed)

    train_loader = DataLoader(PixelCSV(HERE / "data" / "train.csv"), args.batch_size, shuffle=True)
    test_loader = DataLoader(PixelCSV(HERE / "data" / "test.csv"), 256)

    model = DigitNet()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs * len(train_loader))
    trainer = Trainer(model, opt, sched)
    for epoch in range(args.epochs):
        tr_loss, tr_acc = trainer.train_epoch(train_loader)
        te_loss, te_acc = trainer.evaluate(test_loader)
        log.info("epoch %2d  train %.3f / %.3f   test %.3f / %.3f", epoch, tr_loss, tr_acc, te_loss, te_acc)


if __name__ == "__main__":
    main()
