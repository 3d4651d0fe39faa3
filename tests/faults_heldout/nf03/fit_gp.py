"""Exact GP with ARD squared-exponential kernel; hyperparameters by type-II maximum likelihood."""
import argparse
import math

import numpy as np
import torch


def kernel(a, b, theta):
    ls = theta["log_ls"].exp()
    d2 = ((a[:, None, :] - b[None, :, :]) / ls).square().sum(-1)
    return theta["log_amp"].exp().square() * torch.exp(-0.5 * d2)


def cholesky_of(x, theta):
    noise = theta["log_noise"].exp().square() + 1e-6
    return torch.linalg.cholesky(kernel(x, x, theta) + noise * torch.eye(len(x), dtype=x.dtype))


def neg_log_evidence(x, y, theta):
    L = cholesky_of(x, theta)
    alpha = torch.cholesky_solve((y - theta["mean"])[:, None], L)[:, 0]
    fit = 0.5 * torch.dot(y - theta["mean"], alpha)
    return fit + L.diagonal().log().sum() + 0.5 * len(x) * math.log(2 * math.pi)


@torch.no_grad()
def predict(x, y, xs, theta):
    L = cholesky_of(x, theta)
    ks = kernel(x, xs, theta)
    mu = theta["mean"] + ks.T @ torch.cholesky_solve((y - theta["mean"])[:, None], L)[:, 0]
    v = torch.linalg.solve_triangular(L, ks, upper=False)
    var = theta["log_amp"].exp().square() - v.square().sum(0) + theta["log_noise"].exp().square()
    return mu, var


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--lr", type=float, default=0.08)
    ap.add_argument("--test", type=int, default=120)
    args = ap.parse_args()

    raw = torch.from_numpy(np.loadtxt("yield.txt"))
    order = torch.from_numpy(np.random.RandomState(0).permutation(len(raw)))
    te, tr = raw[order[: args.test]], raw[order[args.test:]]
    mx, sx = tr[:, :-1].mean(0), tr[:, :-1].std(0)
    my, sy = tr[:, -1].mean(), tr[:, -1].std()
    x, xs = (tr[:, :-1] - mx) / sx, (te[:, :-1] - mx) / sx
    y, ys = (tr[:, -1] - my) / sy, (te[:, -1] - my) / sy

    theta = {
        "log_ls": torch.zeros(x.shape[1], dtype=x.dtype, requires_grad=True),
        "log_amp": torch.zeros((), dtype=x.dtype, requires_grad=True),
        "log_noise": torch.tensor(math.log(0.5), dtype=x.dtype, requires_grad=True),
        "mean": torch.zeros((), dtype=x.dtype, requires_grad=True),
    }
    opt = torch.optim.Adam(theta.values(), lr=args.lr, betas=(0.9, 0.99))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps, eta_min=args.lr / 20)
    for step in range(args.steps):
        opt.zero_grad()
        nle = neg_log_evidence(x, y, theta)
        nle.backward()
        opt.step()
        sched.step()
        if step % 20 == 0 or step == args.steps - 1:
            mu, var = predict(x, y, xs, theta)
            rmse = (mu - ys).square().mean().sqrt() * sy
            nlpd = 0.5 * ((ys - mu).square() / var + var.log() + math.log(2 * math.pi)).mean()
            print(f"{step:4d}  -log evidence {nle.item():9.3f}   test rmse {rmse:.3f}  nlpd {nlpd:.3f}")
    print("length scales", theta["log_ls"].exp().detach().numpy().round(2))
    print("noise (yield units)", round((theta["log_noise"].exp() * sy).item(), 3))


if __name__ == "__main__":
    main()
