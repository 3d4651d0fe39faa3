"""Compressive strength of concrete from the mix design.

The network is a plain list of tensors and the optimiser is written out, so that the
same script can be ported to the plant controller later on.
"""
import argparse
import numpy as np
import torch
import torch.nn.functional as F


def make_mixes(n, rng):
    cement = rng.uniform(150, 520, n)
    slag = np.maximum(0, rng.normal(70, 80, n))
    water = rng.uniform(135, 230, n)
    plast = np.maximum(0, rng.normal(6, 5, n))
    coarse = rng.uniform(800, 1130, n)
    fine = rng.uniform(600, 980, n)
    age = rng.choice([3, 7, 14, 28, 56, 90, 180], n, p=[.13, .15, .15, .32, .11, .09, .05]).astype(float)
    binder = cement + 0.75 * slag
    wb = (water - 2.2 * plast) / binder
    f28 = 118 * np.exp(-1.9 * wb) - 0.012 * (coarse - 960) - 0.004 * (fine - 770)
    grow = np.exp(0.28 * (1 - np.sqrt(28.0 / age)))
    y = f28 * grow * np.exp(rng.normal(0, 0.06, n)) + rng.normal(0, 1.5, n)
    x = np.stack([cement, slag, water, plast, coarse, fine, np.log(age)], 1)
    return x.astype(np.float32), y.astype(np.float32)


def init(sizes, g):
    params = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        w = torch.randn(a, b, generator=g) * (2.0 / a) ** 0.5
        params += [w, torch.zeros(b)]
    params[-2] = params[-2] * 0.5
    return [p.requires_grad_() for p in params]


def net(params, x):
    n = len(params) // 2
    for i in range(n):
        x = x @ params[2 * i] + params[2 * i + 1]
        if i < n - 1:
            x = F.silu(x)
    return x[:, 0]


def adam_update(params, grads, state, lr, b1=0.9, b2=0.999, eps=1e-8):
    state["t"] += 1
    t = state["t"]
    new = []
    for i, (p, g) in enumerate(zip(params, grads)):
        state["m"][i] = b1 * state["m"][i] + (1 - b1) * g
        state["v"][i] = b2 * state["v"][i] + (1 - b2) * g * g
        mhat = state["m"][i] / (1 - b1 ** t)
        vhat = state["v"][i] / (1 - b2 ** t)
        new.append((p.detach() - lr * mhat / (vhat.sqrt() + eps)).requires_grad_())
    return new


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    rng = np.random.default_rng(args.seed)
    g = torch.Generator().manual_seed(args.seed)
    x, y = make_mixes(5000, rng)
    tr, va, te = slice(0, 3600), slice(3600, 4300), slice(4300, 5000)
    xm, xs = x[tr].mean(0), x[tr].std(0)
    ym, ys = y[tr].mean(), y[tr].std()
    xn = torch.from_numpy((x - xm) / xs)
    yn = torch.from_numpy((y - ym) / ys)
    xtr, ytr = xn[tr], yn[tr]

    params = init([x.shape[1], 48, 48, 1], g)
    state = {"t": 0, "m": [torch.zeros_like(p) for p in params], "v": [torch.zeros_like(p) for p in params]}
    steps = args.epochs * (len(xtr) // args.batch)

    def rmse(part):
        with torch.no_grad():
            pred = net(params, xn[part]).numpy() * ys + ym
        return float(np.sqrt(np.mean((pred - y[part]) ** 2)))

    for epoch in range(args.epochs):
        perm = torch.randperm(len(xtr), generator=g)
        total = 0.0
        for k in range(len(xtr) // args.batch):
            idx = perm[k * args.batch:(k + 1) * args.batch]
            loss = (net(params, xtr[idx]) - ytr[idx]).pow(2).mean()
            grads = torch.autograd.grad(loss, params)
            lr = args.lr * (1 - 0.95 * state["t"] / steps)
            params = adam_update(params, grads, state, lr)
            total += loss.item()
        if epoch % 4 == 3 or epoch == 0:
            print(f"epoch {epoch + 1:3d}  loss {total / (k + 1):.4f}  "
                  f"rmse train {rmse(tr):.2f} val {rmse(va):.2f} test {rmse(te):.2f} MPa")
    print(f"spread of the strengths: {y[te].std():.2f} MPa")


if __name__ == "__main__":
    main()
