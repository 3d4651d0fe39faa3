import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from rig import N_SENSORS, BearingRig


class KnockLocator(nn.Module):
    def __init__(self, channels=N_SENSORS, width=32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(channels, width, 7, padding=3), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Conv1d(width, width, 5, padding=2), nn.BatchNorm1d(width), nn.ReLU(),
        )
        self.head = nn.Linear(width, N_SENSORS)

    def forward(self, x):
        b, t, c = x.shape
        h = self.features(x.view(b, c, t))
        return self.head(h.mean(dim=2))


def accuracy_and_loss(model, loader, criterion):
    model.eval()
    n = hit = 0
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += criterion(out, y).item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
    return hit / n, total / n


def main():
    ap = argparse.ArgumentParser(description="locate the knocking bearing")
    ap.add_argument("--records", type=int, default=2500)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train = DataLoader(BearingRig(args.records, seed=2 * args.seed), batch_size=64, shuffle=True)
    val = DataLoader(BearingRig(600, seed=2 * args.seed + 1), batch_size=200)
    model = KnockLocator()
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr, epochs=args.epochs, steps_per_epoch=len(train))
    for epoch in range(args.epochs):
        model.train()
        seen = 0.0
        for x, y in train:
            loss = criterion(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            seen += loss.item() * len(y)
        acc, vloss = accuracy_and_loss(model, val, criterion)
        print(f"[{epoch + 1:02d}] train {seen / len(train.dataset):.3f}  val {vloss:.3f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
