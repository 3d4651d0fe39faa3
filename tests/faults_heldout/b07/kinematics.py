"""Learn the forward kinematics of a planar 3-link arm; small grid over width and learning rate."""
import itertools
import math
import time

import torch
from torch import nn

LINKS = (1.0, 0.7, 0.4)


def sample(n, gen):
    q = (torch.rand(n, 3, generator=gen) * 2 - 1) * math.pi * 0.75
    a = q.cumsum(1)
    pos = torch.stack([sum(l * a[:, i].cos() for i, l in enumerate(LINKS)),
                       sum(l * a[:, i].sin() for i, l in enumerate(LINKS))], 1)
    return q, pos + 0.01 * torch.randn(n, 2, generator=gen)


def mlp(sizes, act=nn.Tanh, dropout=0.0, norm=False):
    """Generic builder used by all our regression models."""
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers.append(nn.Linear(a, b))
        last = i == len(sizes) - 2
        if norm and not last:
            layers.append(nn.LayerNorm(b))
        if dropout > 0 and not last:
            layers += [act(), nn.Dropout(dropout)]
    return nn.Sequential(*layers)


def r2(pred, y):
    return 1 - ((pred - y) ** 2).sum().item() / ((y - y.mean(0)) ** 2).sum().item()


def run(width, lr, train, val, epochs=15, batch=64, seed=0):
    torch.manual_seed(seed)
    xtr, ytr = train
    model = mlp([3, width, width, 2], act=nn.SiLU)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(epochs):
        perm = torch.randperm(len(xtr))
        for b in perm.split(batch):
            loss = (model(xtr[b]) - ytr[b]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    with torch.no_grad():
        return model, r2(model(xtr), ytr), r2(model(val[0]), val[1])


def main():
    gen = torch.Generator().manual_seed(77)
    train, val, test = sample(4000, gen), sample(1000, gen), sample(1000, gen)
    mu, sd = train[0].mean(0), train[0].std(0)
    train, val, test = [((x - mu) / sd, y) for x, y in (train, val, test)]
    best = None
    for width, lr in itertools.product((32, 64), (1e-3, 4e-3)):
        t0 = time.time()
        model, tr, va = run(width, lr, train, val)
        print(f"width={width:<4d} lr={lr:<7g} train R2 {tr:.4f}  val R2 {va:.4f}  ({time.time()-t0:.1f}s)")
        if best is None or va > best[0]:
            best = (va, width, lr, model)
    with torch.no_grad():
        print(f"selected width={best[1]} lr={best[2]}: test R2 {r2(best[3](test[0]), test[1]):.4f}")


if __name__ == "__main__":
    main()
