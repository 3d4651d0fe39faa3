import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from parcels.net import TransitNet
from parcels.records import Shipments, collate


def parse():
    p = argparse.ArgumentParser(description="transit time of parcels, in days")
    p.add_argument("--depots", default="depots.json")
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--dim", type=int, default=4)
    p.add_argument("--width", type=int, default=24)
    p.add_argument("--lr", type=float, default=6e-3)
    p.add_argument("--seed", type=int, default=15)
    return p.parse_args()


def validate(model, loader):
    model.eval()
    se = ae = n = 0.0
    with torch.no_grad():
        for batch in loader:
            diff = model(batch) - batch.hours
            se += diff.square().sum().item()
            ae += diff.abs().sum().item()
            n += len(diff)
    model.train()
    return se / n, ae / n


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train = DataLoader(Shipments("shipments_2023.csv"), batch_size=64, shuffle=True, collate_fn=collate)
    later = DataLoader(Shipments("shipments_2024q1.csv"), batch_size=500, collate_fn=collate)

    model = TransitNet(args.depots, args.dim, 2, args.width)
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)

    for epoch in range(args.epochs):
        total = 0.0
        for batch in train:
            loss = criterion(model(batch), batch.hours)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        scheduler.step()
        mse, mae = validate(model, later)
        print(f"[{epoch + 1:02d}/{args.epochs}] train mse {total / len(train):.3f} | 2024q1 mse {mse:.3f} mae {mae:.3f} days")


if __name__ == "__main__":
    main()
