import argparse

import torch
from torch import nn

from loading.digits import make_loaders


class Net(nn.Module):
    def __init__(self, width=128):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10))

    def forward(self, x):
        return self.net(x)


@torch.no_grad()
def validate(net, loader):
    net.eval()
    loss = hits = n = 0
    for x, y in loader:
        out = net(x)
        loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--epoch-samples", type=int, default=128)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=5)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    train_loader, val_loader = make_loaders(a.batch_size, a.epoch_samples, a.seed)
    net = Net()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=0.01)
    for epoch in range(1, a.epochs + 1):
        net.train()
        total = n = 0
        for x, y in train_loader:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, n = total + loss.item() * len(y), n + len(y)
        if epoch % 5 == 0:
            v = validate(net, val_loader)
            print(f"epoch {epoch:3d} train loss {total / n:.4f} val loss {v[0]:.4f} val acc {v[1]:.4f}")


if __name__ == "__main__":
    main()
