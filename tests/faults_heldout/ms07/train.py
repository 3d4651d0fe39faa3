import argparse

import torch
from torch import nn

from odonet import OdoNet
from tracks import ClipStore


def r2(pred, target):
    return 1 - ((pred - target) ** 2).sum() / ((target - target.mean(0)) ** 2).sum()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch-size", type=int, default=50)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=8)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    generator = torch.Generator().manual_seed(args.seed)

    train_data = ClipStore(500, seed=31)
    valid_data = ClipStore(100, seed=32, stats=train_data.stats)

    net = OdoNet()
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.85)

    for epoch in range(args.epochs):
        net.train()
        h = net.init_hidden(args.batch_size)
        losses = []
        for x, y in train_data.batches(args.batch_size, generator):
            h = tuple(each.data for each in h)
            net.zero_grad()
            output, h = net(x, h)
            loss = criterion(output, y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5)
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()

        net.eval()
        preds, targets = [], []
        with torch.no_grad():
            val_h = net.init_hidden(args.batch_size)
            for x, y in valid_data.batches(args.batch_size):
                output, val_h = net(x, val_h)
                preds.append(output)
                targets.append(y)
        score = r2(torch.cat(preds), torch.cat(targets))
        print(f"Epoch: {epoch + 1}/{args.epochs}...  Loss: {sum(losses) / len(losses):.4f}...  Val R2: {score:.4f}")


if __name__ == "__main__":
    main()
