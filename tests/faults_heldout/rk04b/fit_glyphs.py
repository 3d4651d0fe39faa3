import argparse
import csv
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.optim import AdamW


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--features", type=Path, default=Path("features"))
    p.add_argument("--hidden", type=int, default=96)
    p.add_argument("--dropout", type=float, default=0.25)
    p.add_argument("--epochs", type=int, default=24)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--wd", type=float, default=5e-2)
    p.add_argument("--log", type=Path, default=None, help="csv file for the curves")
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def read_split(folder, name):
    """The feature job writes one matrix and one label vector per split."""
    x = np.load(folder / f"{name}_x.npy").astype(np.float32)
    y = np.load(folder / f"{name}_y.npy").astype(np.int64)
    assert len(x) == len(y)
    return torch.from_numpy(x), torch.from_numpy(y)


class GlyphNet(nn.Module):
    def __init__(self, n_in, n_hidden, n_out, dropout):
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_hidden)
        self.out = nn.Linear(n_hidden, n_out)
        self.drop = nn.Dropout(dropout)
        self.act = nn.GELU()

    def forward(self, x):
        x = self.drop(self.act(self.fc1(x)))
        x = self.drop(self.act(self.fc2(x)))
        return self.out(x)


class Trainer:
    def __init__(self, model, args):
        self.model = model
        self.args = args
        self.criterion = nn.CrossEntropyLoss()
        decay = [p for p in model.parameters() if p.ndim > 1]
        rest = [p for p in model.parameters() if p.ndim <= 1]
        self.opt = AdamW([{"params": decay, "weight_decay": args.wd},
                          {"params": rest, "weight_decay": 0.0}], lr=args.lr)
        self.rows = []

    def run_epoch(self, x, y):
        self.model.train()
        order = torch.randperm(len(x))
        total = 0.0
        for idx in order.split(self.args.batch_size):
            self.opt.zero_grad()
            loss = self.criterion(self.model(x[idx]), y[idx])
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        return total / len(x)

    @torch.no_grad()
    def test(self, x, y):
        self.model.eval()
        logits = self.model(x)
        return self.criterion(logits, y).item(), (logits.argmax(-1) == y).float().mean().item()

    def fit(self, train, val):
        sched = torch.optim.lr_scheduler.LinearLR(self.opt, 1.0, 0.05, self.args.epochs)
        for epoch in range(self.args.epochs):
            tr = self.run_epoch(*train)
            vl, va = self.test(*val)
            sched.step()
            self.rows.append((epoch, tr, vl, va))
            if epoch % 3 == 2:
                print(f"{epoch + 1:3d} | train {tr:.4f} | val {vl:.4f} | acc {va:.4f}", file=sys.stderr)


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train = read_split(args.features, "train")
    val = read_split(args.features, "val")
    print(f"train {tuple(train[0].shape)}  val {tuple(val[0].shape)}", file=sys.stderr)

    model = GlyphNet(train[0].shape[1], args.hidden, int(train[1].max()) + 1, args.dropout)
    trainer = Trainer(model, args)
    trainer.fit(train, val)

    if args.log:
        with args.log.open("w", newline="") as fh:
            w = csv.writer(fh)
            w.writerow(["epoch", "train_loss", "val_loss", "val_acc"])
            w.writerows(trainer.rows)


if __name__ == "__main__":
    main()
