#!/usr/bin/env python
"""Learn the inverse dynamics (joint torque) of a two-link arm from logged states."""
import argparse
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="arm_log.npz")
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--momentum", type=float, default=0.9)
    p.add_argument("--width", type=int, default=128)
    p.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def mlp(n_in, width, n_out):
    return nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, n_out))


def features(q, dq, ddq):
    return np.concatenate([np.sin(q), np.cos(q), dq, ddq], axis=1)


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        err = (net(x).float() - y.float()).pow(2).mean(0)
    net.train()
    return err.mean().item(), (1 - err / y.float().var(0)).tolist()


args = get_args()
torch.manual_seed(args.seed)
dtype = getattr(torch, args.dtype)
device = "cuda" if torch.cuda.is_available() else "cpu"

log = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), args.data))
x = features(log["q"], log["dq"], log["ddq"]).astype(np.float32)
y = log["tau"].astype(np.float32)
n_val = len(x) // 5
x = (x - x[n_val:].mean(0)) / x[n_val:].std(0)
y = (y - y[n_val:].mean(0)) / y[n_val:].std(0)
x, y = (torch.from_numpy(a).to(device, dtype) for a in (x, y))
x_val, y_val, x_train, y_train = x[:n_val], y[:n_val], x[n_val:], y[n_val:]

net = mlp(x.shape[1], args.width, y.shape[1]).to(device, dtype)
opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=args.momentum)
steps = args.epochs * math.ceil(len(x_train) / args.batch)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
print(f"{sum(p.numel() for p in net.parameters())} parameters, {steps} steps, {args.dtype} on {device}")

t0 = time.time()
for epoch in range(args.epochs):
    order = torch.randperm(len(x_train), device=device)
    sums = 0.0
    for i in range(0, len(order), args.batch):
        b = order[i:i + args.batch]
        loss = nn.functional.mse_loss(net(x_train[b]), y_train[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        sums += loss.item() * len(b)
    if (epoch + 1) % 5 == 0:
        mse, r2 = evaluate(net, x_val, y_val)
        print(f"[{epoch + 1:02d}] train {sums / len(order):.4f}  val {mse:.4f}  R2 " + " ".join(f"{v:.3f}" for v in r2)
              + f"  {time.time() - t0:.1f}s")
