"""Grain direction of small fabric patches, four orientations, random phase and brightness."""
import argparse
import math

import torch
from torch import nn
from torch.nn import functional as F

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh, "identity": nn.Identity}


def patches(n, size, gen):
    label = torch.randint(0, 4, (n,), generator=gen)
    angle = label * math.pi / 4 + 0.12 * torch.randn(n, generator=gen)
    freq = 0.9 + 0.5 * torch.rand(n, generator=gen)
    phase = 2 * math.pi * torch.rand(n, generator=gen)
    grid = torch.arange(size, dtype=torch.float32) - size / 2
    yy, xx = torch.meshgrid(grid, grid, indexing="ij")
    along = torch.cos(angle)[:, None, None] * xx + torch.sin(angle)[:, None, None] * yy
    img = torch.sin(freq[:, None, None] * along + phase[:, None, None])
    img = img + 0.3 * torch.randn(n, 1, 1, generator=gen) + 0.9 * torch.randn(n, size, size, generator=gen)
    return img.unsqueeze(1), label


class GrainNet(nn.Module):
    def __init__(self, act, width=12):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 5, padding=2)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.norm1 = nn.BatchNorm2d(width)
        self.norm2 = nn.BatchNorm2d(2 * width)
        self.fc = nn.Linear(2 * width, 32)
        self.out = nn.Linear(32, 4)
        self.act = ACTIVATIONS[act]()

    def forward(self, x):
        x = self.act(self.norm1(self.conv1(x)))
        x = self.act(self.norm2(self.conv2(x)))
        x = x.mean(dim=(2, 3))
        x = self.act(self.fc(x))
        return self.out(x)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        logits = net(x)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--activation", choices=sorted(ACTIVATIONS), default="relu")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    gen = torch.Generator().manual_seed(90)
    x_train, y_train = patches(2400, 16, gen)
    x_val, y_val = patches(600, 16, gen)

    torch.manual_seed(args.seed)
    net = GrainNet(args.activation)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    per_epoch = len(x_train) // args.batch_size
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.epochs * per_epoch)

    for epoch in range(1, args.epochs + 1):
        net.train()
        order = torch.randperm(len(x_train))
        running = 0.0
        for b in range(per_epoch):
            idx = order[b * args.batch_size:(b + 1) * args.batch_size]
            loss = F.cross_entropy(net(x_train[idx]), y_train[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item()
        val_loss, val_acc = accuracy(net, x_val, y_val)
        print(f"epoch {epoch:2d}: train loss {running / per_epoch:.3f}, val loss {val_loss:.3f}, val acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
