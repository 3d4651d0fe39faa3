"""Adapt the power map of a sister machine to a new compressor.

    python adapt.py --start sister.npz --table unit_b.csv
"""
import argparse
import copy

import numpy as np
import pandas as pd
import torch

from mapnet import MapNet, Shadow, read_weights

INPUTS = ["p_suction", "p_discharge", "t_suction", "speed", "slide", "t_oil"]
TARGET = "power_kw"


def table(path, seed):
    frame = pd.read_csv(path)
    x = frame[INPUTS].to_numpy(np.float32)
    y = frame[TARGET].to_numpy(np.float32)
    order = np.random.default_rng(seed).permutation(len(y))
    test, train = order[:300], order[300:]
    mu, sd = x[train].mean(0), x[train].std(0)
    x = (x - mu) / sd
    y_mu, y_sd = y[train].mean(), y[train].std()
    z = (y - y_mu) / y_sd
    return x[train], z[train], x[test], y[test], y_mu, y_sd


class MovingRms:
    """RMSprop without momentum, element-wise bounded gradient."""

    def __init__(self, params, lr, rho=0.97, bound=1.0):
        self.params, self.lr, self.rho, self.bound = list(params), lr, rho, bound
        self.sq = [torch.zeros_like(p) for p in self.params]
        self.k = 0

    def step(self):
        self.k += 1
        with torch.no_grad():
            for p, s in zip(self.params, self.sq):
                g = p.grad.clamp(-self.bound, self.bound)
                s.mul_(self.rho).addcmul_(g, g, value=1 - self.rho)
                p.data -= self.lr * g / ((s / (1 - self.rho ** self.k)).sqrt() + 1e-6)
                p.grad = None


def chunks(n, size, rng):
    order = rng.permutation(n)
    return (order[i:i + size] for i in range(0, n, size))


def r_squared(truth, guess):
    return 1 - np.sum((truth - guess) ** 2) / np.sum((truth - truth.mean()) ** 2)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--start", default="sister.npz")
    ap.add_argument("--table", default="unit_b.csv")
    ap.add_argument("--epochs", type=int, default=60)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    x, z, x_test, y_test, y_mu, y_sd = table(args.table, seed=17)

    net = MapNet(len(INPUTS), (48, 48, 24))
    read_weights(net, args.start)
    shadow = Shadow(net, keep=0.98)
    rule = MovingRms(net.parameters(), args.lr)

    def report(tag):
        probe = copy.deepcopy(net)
        if shadow.n:
            shadow.onto(probe)
        with torch.no_grad():
            guess = probe(torch.from_numpy(x_test)).numpy() * y_sd + y_mu
        print(f"{tag}  test MAE {np.abs(guess - y_test).mean():6.2f} kW  R2 {r_squared(y_test, guess):.3f}")

    report("before        ")
    for epoch in range(args.epochs):
        rule.lr = args.lr * (1 - 0.95 * epoch / args.epochs)
        total = 0.0
        for idx in chunks(len(z), 32, rng):
            loss = (net(torch.from_numpy(x[idx])) - torch.from_numpy(z[idx])).square().mean()
            loss.backward()
            rule.step()
            shadow.follow(net)
            total += loss.item() * len(idx)
        if (epoch + 1) % 5 == 0:
            report(f"epoch {epoch + 1:3d}  mse {total / len(z):.4f}")


if __name__ == "__main__":
    main()
