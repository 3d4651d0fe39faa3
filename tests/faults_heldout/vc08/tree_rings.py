"""Regress the age of synthetic tree-core profiles with a bf16 network (keeps the memory of the edge device low)."""
import argparse

import torch
from torch import nn
from torch.nn import functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--samples", type=int, default=3000)
parser.add_argument("--width", type=int, default=64)
parser.add_argument("--epochs", type=int, default=12)
parser.add_argument("--batch", type=int, default=20)
parser.add_argument("--lr", type=float, default=5e-5)
args = parser.parse_args()

torch.manual_seed(3)
dtype = torch.bfloat16


def tree_cores(n, length=48):
    """Ring-width profiles: fast early growth that levels off, climate noise on top."""
    age = torch.rand(n, 1)
    pos = torch.linspace(0, 1, length)[None]
    growth = torch.exp(-3 * pos * (0.3 + age)) * (0.6 + 0.4 * torch.rand(n, 1))
    ripple = 0.15 * torch.sin(2 * torch.pi * (4 + 14 * age) * pos + 2 * torch.pi * torch.rand(n, 1))
    width = growth + ripple + 0.05 * torch.randn(n, length)
    return width, (age - 0.5) * 3.4


x, y = tree_cores(args.samples)
x = (x - x.mean(0)) / x.std(0)
cut = int(0.8 * len(x))
x_train, y_train, x_val, y_val = x[:cut], y[:cut], x[cut:], y[cut:]

net = nn.Sequential(
    nn.Linear(x.shape[1], args.width),
    nn.GELU(),
    nn.Linear(args.width, args.width),
    nn.GELU(),
    nn.Linear(args.width, 1),
).to(dtype)
optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)


def predict(inputs):
    return net(inputs.to(dtype)).float()


print(f"{sum(p.numel() for p in net.parameters())} parameters, {len(x_train)} training profiles")
for epoch in range(args.epochs):
    order = torch.randperm(len(x_train))
    total = 0.0
    for idx in order.split(args.batch):
        loss = F.smooth_l1_loss(predict(x_train[idx]), y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    with torch.no_grad():
        error = predict(x_val) - y_val
    r2 = 1 - error.square().mean() / y_val.var()
    print(f"epoch {epoch + 1:2d}: train {total / len(x_train):.4f}  val mae {error.abs().mean():.3f}  val r2 {r2:.3f}")
