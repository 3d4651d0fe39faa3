"""Digit recogniser trained from a CSV stream (pixels..., label), one pass per epoch."""
import argparse
import csv
import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

HERE = Path(__file__).parent


class CsvStream(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path, newline="") as fh:
            for row in csv.reader(fh):
                pixels = torch.tensor([int(v) for v in row[:-1]], dtype=torch.float32)
                yield (pixels / 16.0 - 0.3).view(1, 8, 8), int(row[-1])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.LeakyReLU(0.1),
            nn.Conv2d(16, 32, 3, padding=1), nn.LeakyReLU(0.1),
            nn.MaxPool2d(2),
        )
        self.classify = nn.Linear(32 * 4 * 4, 10)

    def forward(self, x):
        return self.classify(self.features(x).flatten(1))


@torch.inference_mode()
def test(net, loader):
    net.eval()
    right = count = 0
    loss = 0.0
    for x, y in loader:
        out = net(x)
        loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
        right += (out.argmax(1) == y).sum().item()
        count += len(y)
    return loss / count, right / count


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--train-csv", default="digits_train.csv")
    p.add_argument("--test-csv", default="digits_test.csv")
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--batch-size", type=int, default=25)
    p.add_argument("--lr", type=float, default=0.01)
    args = p.parse_args()

    torch.manual_seed(1234)
    train_loader = DataLoader(CsvStream(HERE / args.train_csv), batch_size=args.batch_size)
    test_loader = DataLoader(CsvStream(HERE / args.test_csv), batch_size=100)
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)

    for epoch in range(args.epochs):
        tic = time.time()
        net.train()
        total, seen = 0.0, 0
        for step, (x, y) in enumerate(train_loader):
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            seen += len(y)
            if step % 20 == 19:
                print(f"  step {step + 1} loss {loss.item():.3f}")
        test_loss, test_acc = test(net, test_loader)
        print(f"epoch {epoch}: train {total / seen:.3f} test {test_loss:.3f} "
              f"acc {100 * test_acc:.1f}% ({time.time() - tic:.1f}s)")


if __name__ == "__main__":
    main()
