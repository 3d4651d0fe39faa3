import argparse

import torch
from torch.utils.data import DataLoader

from forecaster import NextHour, mean_absolute_error
from vitals import Admissions, collate


def run_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for x, y, lengths in loader:
        pred = model(x)
        loss = torch.mean((pred - y) ** 2)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    err = hours = 0
    bias = 0.0
    for x, y, lengths in loader:
        pred = model(x)
        e, n = mean_absolute_error(pred, y, lengths)
        for i, k in enumerate(lengths):
            bias += (pred[i, :k] - y[i, :k]).sum().item()
        err, hours = err + e, hours + n
    return 100 * err / hours, 100 * bias / hours


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--batch", type=int, default=32)
    args = p.parse_args()
    torch.manual_seed(40)

    train = DataLoader(Admissions(700, seed=1), args.batch, shuffle=True, collate_fn=collate)
    test = DataLoader(Admissions(200, seed=2), 100, collate_fn=collate)
    model = NextHour()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        loss = run_epoch(model, train, opt)
        mae, bias = evaluate(model, test)
        print(f"{epoch:02d}  loss {loss:.5f}  MAE {mae:.2f} bpm  mean error {bias:+.2f} bpm")


if __name__ == "__main__":
    main()
