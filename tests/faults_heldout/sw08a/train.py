"""Estimate frequency and damping of an oscillator from noisy simulated traces."""
import argparse
import math

import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=200)
parser.add_argument("--steps", type=int, default=5, help="batches per epoch")
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--noise", type=float, default=0.1)
parser.add_argument("--sim-seed", type=int, default=None)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

T = np.linspace(0.0, 6.0, 60)


def simulate(n, rng):
    """Returns traces (n, 60) and the scaled parameters (n, 2)."""
    freq = rng.uniform(0.3, 1.5, (n, 1))
    damp = rng.uniform(0.05, 0.8, (n, 1))
    phase = rng.uniform(0, 2 * math.pi, (n, 1))
    amp = rng.uniform(0.8, 1.5, (n, 1))
    trace = amp * np.exp(-damp * T) * np.cos(2 * math.pi * freq * T + phase)
    trace = trace + args.noise * rng.standard_normal(trace.shape)
    target = np.concatenate([(freq - 0.9) / 0.35, (damp - 0.42) / 0.22], axis=1)
    return torch.tensor(trace, dtype=torch.float32), torch.tensor(target, dtype=torch.float32)


def stream(steps, batch):
    rng = np.random.default_rng(args.sim_seed)
    for _ in range(steps):
        yield simulate(batch, rng)


torch.manual_seed(args.seed)
x_test, y_test = simulate(500, np.random.default_rng(1234))

model = nn.Sequential(
    nn.Linear(60, 128), nn.SiLU(),
    nn.Linear(128, 128), nn.SiLU(),
    nn.Linear(128, 2),
)
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs * args.steps, eta_min=1e-5)

for epoch in range(1, args.epochs + 1):
    model.train()
    losses = []
    for x, y in stream(args.steps, args.batch):
        optimizer.zero_grad()
        loss = nn.functional.smooth_l1_loss(model(x), y, beta=0.5)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    if epoch % 10 == 0:
        model.eval()
        with torch.no_grad():
            pred = model(x_test)
            test = nn.functional.smooth_l1_loss(pred, y_test, beta=0.5).item()
            r2 = 1 - ((pred - y_test) ** 2).sum(0) / ((y_test - y_test.mean(0)) ** 2).sum(0)
        print(f"epoch {epoch:3d}  train {np.mean(losses):.4f}  test {test:.4f}  "
              f"R2 freq {r2[0]:.3f} damping {r2[1]:.3f}")
