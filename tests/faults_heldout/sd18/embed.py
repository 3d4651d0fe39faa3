#!/usr/bin/env python3
"""Metric learning: embed digit images so that nearest neighbours share the class.

The embedding is trained with the supervised contrastive loss on lightly jittered
images and evaluated by retrieval among held-out images.
"""
import argparse
import dataclasses

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


@dataclasses.dataclass
class Options:
    dim: int = 16
    noise: float = 0.15
    temperature: float = 0.2
    classes_per_batch: int = 6
    images_per_class: int = 8
    lr: float = 1e-3
    steps: int = 300
    seed: int = 13

    @classmethod
    def from_cli(cls):
        parser = argparse.ArgumentParser(description=__doc__)
        for f in dataclasses.fields(cls):
            parser.add_argument(f"--{f.name.replace('_', '-')}", type=f.type, default=f.default)
        return cls(**vars(parser.parse_args()))


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.GroupNorm(4, 32), nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.ReLU(),
            nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)


def balanced_batch(by_class, opt, rng):
    chosen = rng.choice(list(by_class), opt.classes_per_batch, replace=False)
    return np.concatenate([rng.choice(by_class[c], opt.images_per_class, replace=False) for c in chosen])


def supervised_contrastive(z, y, temperature):
    """SupCon loss: every other image of the class is a positive."""
    eye = torch.eye(len(y), dtype=torch.bool)
    sim = (z @ z.T / temperature).masked_fill(eye, -1e9)
    log_prob = sim - torch.logsumexp(sim, dim=1, keepdim=True)
    positive = (y[:, None] == y[None, :]) & ~eye
    return -(log_prob * positive).sum(1).div(positive.sum(1)).mean()


@torch.no_grad()
def recall_at_1(model, x, y):
    model.eval()
    z = model(x)
    sim = z @ z.T
    sim.fill_diagonal_(-2)
    model.train()
    return (y[sim.argmax(1)] == y).float().mean().item()


def main():
    opt = Options.from_cli()
    torch.manual_seed(opt.seed)
    rng = np.random.default_rng(opt.seed)
    images, labels = load_digits(return_X_y=True)
    x = torch.tensor(images / 8.0 - 1.0, dtype=torch.float32).view(-1, 1, 8, 8)
    y = torch.tensor(labels)
    order = rng.permutation(len(labels))
    held, train = order[:360], order[360:]
    by_class = {c: train[labels[train] == c] for c in range(10)}

    model = Encoder(opt.dim)
    print(f"untrained: held-out R@1 {recall_at_1(model, x[held], y[held]):.3f}")
    optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr)
    for step in range(1, opt.steps + 1):
        idx = balanced_batch(by_class, opt, rng)
        view = x[idx] + opt.noise * torch.randn_like(x[idx])
        loss = supervised_contrastive(model(view), y[idx], opt.temperature)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step:4d}  loss {loss.item():.4f}  "
                  f"held-out R@1 {recall_at_1(model, x[held], y[held]):.3f}")


if __name__ == "__main__":
    main()
