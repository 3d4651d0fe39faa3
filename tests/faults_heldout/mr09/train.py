"""Adapts the head of the digit network to a second scanner."""
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from finetune.data import new_device_sets
from finetune.net import DigitNet

SEED = 6
EPOCHS = 30
LR = 2e-4


def accuracy(net, loader):
    net.eval()
    hit, n, loss = 0, 0, 0.0
    with torch.no_grad():
        for x, y in loader:
            out = net(x)
            hit += (out.argmax(1) == y).sum().item()
            loss += F.cross_entropy(out, y, reduction="sum").item()
            n += len(y)
    return hit / n, loss / n


def main():
    torch.manual_seed(SEED)
    net = DigitNet()
    net.load_state_dict(torch.load(Path(__file__).parent / "digitnet.pt"))
    net.backbone.requires_grad_(False)

    train, val = new_device_sets(SEED)
    train_loader = DataLoader(train, batch_size=25, shuffle=True)
    val_loader = DataLoader(val, batch_size=200)
    optimizer = torch.optim.AdamW(net.head.parameters(), lr=LR, weight_decay=0.01)

    acc, vloss = accuracy(net, val_loader)
    print(f"before: val acc {acc:.3f} val loss {vloss:.3f}")
    for epoch in range(1, EPOCHS + 1):
        net.head.train()
        net.backbone.eval()
        total = 0.0
        for x, y in train_loader:
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        acc, vloss = accuracy(net, val_loader)
        if epoch % 3 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}: train loss {total / len(train):.3f} val loss {vloss:.3f} val acc {acc:.3f}")


if __name__ == "__main__":
    main()
