"""Mixture density network for the inverse kinematics of a two-link arm.

Given the position of the hand the elbow can be up or down, so the answer is a
distribution with two modes. We maximise the mean log likelihood.
"""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn

L1, L2 = 0.8, 0.5


def make_arm_data(n, rng):
    shoulder = rng.uniform(0.1 * math.pi, 0.6 * math.pi, n)
    elbow = rng.uniform(0.2, 2.4, n) * np.where(rng.random(n) < 0.5, 1, -1)
    hx = L1 * np.cos(shoulder) + L2 * np.cos(shoulder + elbow)
    hy = L1 * np.sin(shoulder) + L2 * np.sin(shoulder + elbow)
    pos = np.stack([hx, hy], 1) + rng.normal(0, 0.01, (n, 2))
    joints = np.stack([shoulder / math.pi, elbow / math.pi], 1)
    return pos.astype("float32"), joints.astype("float32")


class MDN(nn.Module):
    def __init__(self, n_in=2, n_out=2, n_comp=6, width=96):
        super().__init__()
        self.n_comp, self.n_out = n_comp, n_out
        self.body = nn.Sequential(
            nn.Linear(n_in, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
        )
        self.weight = nn.Linear(width, n_comp)
        self.mean = nn.Linear(width, n_comp * n_out)
        self.log_std = nn.Linear(width, n_comp * n_out)

    def forward(self, x):
        h = self.body(x)
        shape = (x.shape[0], self.n_comp, self.n_out)
        return self.weight(h), self.mean(h).view(shape), self.log_std(h).view(shape).clamp(min=-4.5)


def log_likelihood(out, y):
    logit, mean, log_std = out
    z = (y.unsqueeze(1) - mean) * torch.exp(-log_std)
    comp = (-0.5 * z * z - log_std - 0.5 * math.log(2 * math.pi)).sum(-1)
    log_w = logit - torch.logsumexp(logit, dim=1, keepdim=True)
    return torch.logsumexp(log_w + comp, dim=1)


def hand_position(joints):
    a, e = joints[..., 0] * math.pi, joints[..., 1] * math.pi
    return torch.stack([L1 * torch.cos(a) + L2 * torch.cos(a + e), L1 * torch.sin(a) + L2 * torch.sin(a + e)], -1)


@torch.no_grad()
def validate(model, x, y):
    out = model(x)
    ll = log_likelihood(out, y).mean().item()
    best = out[0].argmax(1)
    guess = out[1][torch.arange(len(x)), best]
    err = (hand_position(guess) - x).norm(dim=1).mean().item()
    return ll, err


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=5)
    args = p.parse_args()

    rng = np.random.default_rng(args.seed)
    torch.manual_seed(args.seed)
    x, y = map(torch.from_numpy, make_arm_data(7000, rng))
    xt, yt, xv, yv = x[:6000], y[:6000], x[6000:], y[6000:]

    model = MDN()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, maximize=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs, eta_min=2e-5)
    for epoch in range(args.epochs):
        order = torch.randperm(len(xt))
        total = 0.0
        for i in range(0, len(xt), args.batch):
            idx = order[i:i + args.batch]
            objective = log_likelihood(model(xt[idx]), yt[idx]).mean()
            opt.zero_grad()
            objective.backward()
            opt.step()
            total += objective.item() * len(idx)
        sched.step()
        if epoch % 4 == 3 or epoch == 0:
            ll, err = validate(model, xv, yv)
            print(f"epoch {epoch + 1:3d}  train loglik {total / len(xt):7.3f}  val loglik {ll:7.3f}  hand error {err:.4f}")


if __name__ == "__main__":
    main()
