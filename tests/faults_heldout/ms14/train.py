import argparse

import numpy as np
import torch
from torch import nn

from cnn import LeafNet
from leaves import CONDITIONS
from pipeline import make_loaders


class Runner:
    def __init__(self, args):
        self.args = args
        self.train_loader, self.val_loader = make_loaders(args.n_train, args.n_val, args.batch_size)
        self.model = LeafNet(len(CONDITIONS))
        self.loss_fn = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, args.epochs)

    def train_one_epoch(self):
        self.model.train()
        losses, hits, seen = [], 0, 0
        for x, y in self.train_loader:
            logits = self.model(x)
            loss = self.loss_fn(logits, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        self.scheduler.step()
        return np.mean(losses), hits / seen

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        losses, hits, seen = 0.0, 0, 0
        for x, y in self.val_loader:
            logits = self.model(x)
            losses += self.loss_fn(logits, y).item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        return losses / seen, hits / seen

    def run(self):
        for epoch in range(1, self.args.epochs + 1):
            tl, ta = self.train_one_epoch()
            vl, va = self.validate()
            print(f"epoch {epoch:2d} | train loss {tl:.4f} acc {ta:.3f} | val loss {vl:.4f} acc {va:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--n-train", type=int, default=1600)
    parser.add_argument("--n-val", type=int, default=400)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.03)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    Runner(args).run()
