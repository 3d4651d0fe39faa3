import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from kmers import load_reads
from model import ReadClassifier


def get_args():
    p = argparse.ArgumentParser(description="species from short reads")
    p.add_argument("--reads", default="reads.txt")
    p.add_argument("--epochs", type=int, default=15)
    p.add_argument("--lr", type=float, default=0.03)
    p.add_argument("--batch_size", type=int, default=32)
    return p.parse_args()


if __name__ == "__main__":
    args = get_args()
    torch.manual_seed(17)
    x, y = load_reads(args.reads)
    perm = torch.randperm(len(y))
    tr, va = perm[560:], perm[:560]
    mean, std = x[tr].mean(0), x[tr].std(0).clamp(min=1e-3)
    x = (x - mean) / std

    train_loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=args.batch_size, shuffle=True)
    model = ReadClassifier(n_species=int(y.max()) + 1)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)

    for epoch in range(args.epochs):
        model.train()
        train_loss = 0.0
        for xb, yb in train_loader:
            optimizer.zero_grad()
            output = model(xb)
            loss = criterion(output, yb)
            loss.backward()
            optimizer.step()
            train_loss += loss.item() * xb.size(0)

        model.eval()
        with torch.no_grad():
            output = model(x[va])
            val_loss = criterion(output, y[va]).item()
            acc = (output.argmax(1) == y[va]).float().mean().item()
        print(f"Epoch {epoch + 1}/{args.epochs}  train loss: {train_loss / len(tr):.4f}  val loss: {val_loss:.4f}  val acc: {acc:.4f}")
