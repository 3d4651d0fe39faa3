import argparse

import torch
from torch import nn

from data import FEATURES, STATES, load


def accuracy(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return hits / total


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--csv", default="readings.csv")
    p.add_argument("--epochs", type=int, default=50)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--seed", type=int, default=7)
    a = p.parse_args()

    torch.manual_seed(a.seed)
    train, test = load(a.csv, 0.27, a.batch_size, a.seed)
    model = nn.Sequential(
        nn.Linear(len(FEATURES), 48), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(48, 48), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(48, len(STATES)),
    )
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(a.epochs):
        model.train()
        running = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            opt.step()
            running += loss.item() * len(y)
        sched.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:3d}  loss {running / len(train.dataset):.4f}  "
                  f"train acc {accuracy(model, train):.3f}  unseen pumps {accuracy(model, test):.3f}")


if __name__ == "__main__":
    main()
