import argparse
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from classifier import build_classifier
from stations import REGIMES, StationReports


def parse():
    p = argparse.ArgumentParser(description="weather regime classifier")
    p.add_argument("--reports", type=Path, default=Path(__file__).parent / "reports.csv")
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--depth", type=int, default=2)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch", type=int, default=40)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def confusion(model, loader):
    model.eval()
    table = torch.zeros(len(REGIMES), len(REGIMES), dtype=torch.long)
    with torch.no_grad():
        for values, regime in loader:
            for t, p in zip(regime, model(values).argmax(1)):
                table[t, p] += 1
    return table


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train_set = StationReports(args.reports, "train")
    test_set = StationReports(args.reports, "test")
    train_loader = DataLoader(train_set, batch_size=args.batch, shuffle=True, drop_last=True)
    test_loader = DataLoader(test_set, batch_size=200)

    model = build_classifier(args.hidden, args.depth)
    loss_fn = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True)

    for epoch in range(args.epochs):
        model.train()
        mean_loss = 0.0
        for values, regime in train_loader:
            opt.zero_grad()
            loss = loss_fn(model(values), regime)
            loss.backward()
            opt.step()
            mean_loss += loss.item() / len(train_loader)
        table = confusion(model, test_loader)
        acc = table.diag().sum().item() / table.sum().item()
        print(f"epoch {epoch:2d}: loss {mean_loss:.4f}, test accuracy {acc:.3f}")

    print("\nconfusion (rows = truth)")
    for name, row in zip(REGIMES, table.tolist()):
        print(f"{name:>12}: {row}")


if __name__ == "__main__":
    main()
