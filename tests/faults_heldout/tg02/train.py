"""Surrogate for a robot arm: reach of the gripper from joint angles and link settings."""
import argparse

import numpy as np
import torch

from model import ResidualMLP
from trainer import Trainer

parser = argparse.ArgumentParser()
parser.add_argument("--samples", type=int, default=1500)
parser.add_argument("--epochs", type=int, default=300)
parser.add_argument("--lr", type=float, default=5e-3)
parser.add_argument("--batch-size", type=int, default=1200)
parser.add_argument("--seed", type=int, default=19)
args = parser.parse_args()

torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)
angles = rng.uniform(-np.pi / 2, np.pi / 2, (args.samples, 3))
links = rng.uniform(0.5, 1.0, (args.samples, 3))
heading = np.cumsum(angles, axis=1)
reach = np.hypot((links * np.cos(heading)).sum(1), (links * np.sin(heading)).sum(1))
reach += rng.normal(0, 0.01, args.samples)

x = torch.tensor(np.hstack([angles, links]), dtype=torch.float32)
y = torch.tensor(reach, dtype=torch.float32)
cut = int(0.8 * args.samples)
mean, std = x[:cut].mean(0), x[:cut].std(0)
x = (x - mean) / std
y = (y - y[:cut].mean()) / y[:cut].std()

model = ResidualMLP(x.shape[1], 48, 2)
Trainer(model, args.lr, args.epochs, args.batch_size).fit((x[:cut], y[:cut]), (x[cut:], y[cut:]))
