import argparse
import csv
import sys

import torch
from torch import nn

from dataset import build
from metrics import Meter, classification_report


class Classifier(nn.Module):
    def __init__(self, width=128, p=0.2):
        super().__init__()
        self.a = nn.Linear(64, width)
        self.b = nn.Linear(width, width)
        self.c = nn.Linear(width, 10)
        self.p = nn.Dropout(p)

    def forward(self, x):
        h = self.p(torch.relu(self.a(x)))
        h = h + torch.relu(self.b(h))
        return self.c(h)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--eval-batch-size", type=int, default=256)
    ap.add_argument("--lr", type=float, default=1e-3)
    a = ap.parse_args()
    torch.manual_seed(30)
    train_loader, val_loader = build(a.batch_size, a.eval_batch_size)
    net, criterion = Classifier(), nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=0.01)
    writer = csv.writer(sys.stdout)
    writer.writerow(["epoch", "train_loss", "val_loss", "val_acc"])
    for epoch in range(a.epochs):
        net.train()
        meter = Meter()
        for x, y in train_loader:
            loss = criterion(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            meter.add(loss.item(), len(y))
        report = classification_report(net, val_loader, criterion)
        writer.writerow([epoch, f"{meter.mean:.4f}", f"{report['loss']:.4f}", f"{report['acc']:.4f}"])


if __name__ == "__main__":
    main()
