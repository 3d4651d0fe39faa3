import time

import torch
from torch import nn

from vision.data import loaders


def net():
    return nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 16, 10))


def main():
    torch.manual_seed(0)
    train, val = loaders(32)
    model, crit = net(), nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(9):
        t0, tot = time.perf_counter(), 0.0
        model.train()
        for x, y in train:
            loss = crit(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        model.eval()
        with torch.no_grad():
            acc = sum((model(x).argmax(1) == y).sum().item() for x, y in val) / len(val.dataset)
        print(f"epoch {epoch} loss {tot / len(train):.4f} val_acc {acc:.3f} {time.perf_counter() - t0:.2f}s")


if __name__ == "__main__":
    main()
