import argparse
import os
import tempfile

import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

from src.loop import train_epoch, validate
from src.model import ConvNet

parser = argparse.ArgumentParser(description="digits")
parser.add_argument("--epochs", default=10, type=int)
parser.add_argument("-b", "--batch-size", default=32, type=int)
parser.add_argument("--lr", default=1e-3, type=float)
parser.add_argument("--ckpt", default=os.path.join(tempfile.gettempdir(), "digits_best.pt"))


def main():
    args = parser.parse_args()
    torch.manual_seed(7)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16
    y = torch.tensor(d.target)
    perm = torch.randperm(len(y))
    train = DataLoader(TensorDataset(x[perm[:1400]], y[perm[:1400]]), batch_size=args.batch_size, shuffle=True)
    val = DataLoader(TensorDataset(x[perm[1400:]], y[perm[1400:]]), batch_size=4)
    model = ConvNet()
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), args.lr)
    best = 0.0
    for epoch in range(args.epochs):
        tl = train_epoch(model, train, criterion, optimizer)
        vl, va = validate(model, val, criterion)
        if va > best:
            best = va
            torch.save(model.state_dict(), args.ckpt)
        print(f"Epoch [{epoch}] train {tl:.4f} val {vl:.4f} acc@1 {100 * va:.2f} best {100 * best:.2f}")


if __name__ == "__main__":
    main()
