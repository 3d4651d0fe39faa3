"""Discrete-time hazard model for machine failures (nnet-survival style)."""
import argparse
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="machines.npz")
parser.add_argument("--epochs", type=int, default=16)
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--lr", type=float, default=3e-3)
parser.add_argument("--hidden", type=int, default=32)
parser.add_argument("--bins", type=int, default=8)
parser.add_argument("--seed", type=int, default=11)
args = parser.parse_args()

torch.manual_seed(args.seed)
here = os.path.dirname(os.path.abspath(__file__))
raw = np.load(os.path.join(here, args.data))
X, months, failed = raw["x"].astype("float32"), raw["months"], raw["failed"]

perm = np.random.RandomState(args.seed).permutation(len(X))
tr, va = perm[600:], perm[:600]
mu, sd = X[tr].mean(0), X[tr].std(0)
X = (X - mu) / sd

# interval edges at the quantiles of the observed failures in the training part
edges = np.quantile(months[tr][failed[tr] == 1], np.linspace(0, 1, args.bins + 1)[1:-1])
interval = np.digitize(months, edges)


def tensors(idx):
    return TensorDataset(torch.from_numpy(X[idx]), torch.from_numpy(interval[idx]).long(),
                         torch.from_numpy(failed[idx]).float())


def nll(logits, k, event):
    """Bernoulli likelihood over the intervals lived through; a failure ends interval k."""
    steps = torch.arange(logits.shape[1])
    alive = (steps[None] < k[:, None]).float()
    at_k = (steps[None] == k[:, None]).float()
    target = at_k * event[:, None]
    weight = alive + target
    per = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    return (per * weight).sum(1).mean()


def concordance(risk, t, e):
    comparable = (t[:, None] < t[None, :]) & (e[:, None] == 1)
    better = (risk[:, None] > risk[None, :]) + 0.5 * (risk[:, None] == risk[None, :])
    return float((better * comparable).sum() / comparable.sum())


net = nn.Sequential(
    nn.Linear(X.shape[1], args.hidden), nn.ReLU(), nn.Dropout(0.1),
    nn.Linear(args.hidden, args.hidden), nn.ReLU(), nn.Dropout(0.1),
    nn.Linear(args.hidden, args.bins),
)
opt = torch.optim.Adam(net.parameters(), lr=args.lr, weight_decay=1e-4)
loader = DataLoader(tensors(tr), batch_size=args.batch_size, shuffle=True)
vx, vk, ve = tensors(va).tensors

for epoch in range(args.epochs):
    net.train()
    seen, total = 0, 0.0
    for xb, kb, eb in loader:
        loss = nll(net(xb), kb, eb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
        seen += len(xb)
    net.eval()
    with torch.no_grad():
        logits = net(vx)
        val = nll(logits, vk, ve).item()
        survival = torch.cumprod(1 - torch.sigmoid(logits), 1).sum(1)
    c = concordance(-survival.numpy(), months[va], failed[va])
    print("epoch %2d | train nll %.4f | val nll %.4f | c-index %.3f" % (epoch + 1, total / seen, val, c))
