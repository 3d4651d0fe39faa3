import argparse
import csv
import sys

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

parser = argparse.ArgumentParser(description="batch-normalised MLP with gradient accumulation")
parser.add_argument("--epochs", type=int, default=5)
parser.add_argument("--micro-batch", type=int, default=2, help="samples in one forward pass")
parser.add_argument("--effective-batch", type=int, default=32, help="samples in one optimizer update")
parser.add_argument("--lr", type=float, default=0.003)
parser.add_argument("--seed", type=int, default=17)


class Block(nn.Sequential):
    def __init__(self, i, o):
        super().__init__(nn.Linear(i, o, bias=False), nn.BatchNorm1d(o), nn.ReLU(inplace=True))


def get_loaders(args):
    X, y = load_digits(return_X_y=True)
    ds = TensorDataset(torch.tensor(X / 16.0, dtype=torch.float32), torch.tensor(y))
    gen = torch.Generator().manual_seed(args.seed)
    tr, va = random_split(ds, [1408, len(ds) - 1408], generator=gen)
    return DataLoader(tr, batch_size=args.micro_batch, shuffle=True, generator=gen), DataLoader(va, batch_size=500)


def main():
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train_loader, val_loader = get_loaders(args)
    net = nn.Sequential(Block(64, 128), Block(128, 64), nn.Linear(64, 10))
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    ce = nn.CrossEntropyLoss()
    accum = max(1, args.effective_batch // args.micro_batch)
    out = csv.writer(sys.stdout)
    out.writerow(["epoch", "train_loss", "train_acc", "val_loss", "val_acc"])
    for epoch in range(args.epochs):
        net.train()
        tl = th = n = 0
        opt.zero_grad()
        for i, (x, y) in enumerate(train_loader, 1):
            logits = net(x)
            loss = ce(logits, y)
            (loss / accum).backward()
            if i % accum == 0:
                opt.step()
                opt.zero_grad()
            tl += loss.item() * len(y)
            th += (logits.argmax(1) == y).sum().item()
            n += len(y)
        net.eval()
        vl = vh = m = 0
        with torch.no_grad():
            for x, y in val_loader:
                logits = net(x)
                vl += ce(logits, y).item() * len(y)
                vh += (logits.argmax(1) == y).sum().item()
                m += len(y)
        out.writerow([epoch, f"{tl / n:.4f}", f"{th / n:.4f}", f"{vl / m:.4f}", f"{vh / m:.4f}"])


if __name__ == "__main__":
    main()
