"""Chlorophyll of lake samples from sensor readings."""
import argparse

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from ghost import TabularNet


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--table", default="lakes.npy")
    p.add_argument("--width", type=int, default=24)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--vbs", type=int, default=64)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


def split(path, seed):
    table = np.load(path).astype(np.float32)
    np.random.default_rng(seed).shuffle(table)
    n = len(table) * 4 // 5
    mean, std = table[:n].mean(0), table[:n].std(0)
    table = torch.from_numpy((table - mean) / std)
    return TensorDataset(table[:n, :-1], table[:n, -1:]), TensorDataset(table[n:, :-1], table[n:, -1:])


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train, test = split(args.table, args.seed)
    batches = DataLoader(train, args.batch, shuffle=True, drop_last=True)
    model = TabularNet(train.tensors[0].shape[1], args.width, 1, args.vbs)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    mse = torch.nn.MSELoss()
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for x, y in batches:
            loss = mse(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
        if (epoch + 1) % 5 == 0:
            model.eval()
            with torch.no_grad():
                held = mse(model(test.tensors[0]), test.tensors[1]).item()
            print(f"{epoch + 1:3d}  train {np.mean(losses):.4f}  test {held:.4f}  R2 {1 - held / test.tensors[1].var().item():.3f}")


if __name__ == "__main__":
    main()
