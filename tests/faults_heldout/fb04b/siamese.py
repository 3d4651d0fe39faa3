"""Metric learning on 8x8 digit scans: pull scans of the same digit together, push others apart.

The pair list is mined offline and shipped as pairs.npz (columns left, right, same);
rows 0..N_TRAIN-1 are for training, the rest for the verification score.
"""
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score


@dataclass
class Settings:
    pairs: Path = Path(__file__).with_name("pairs.npz")
    n_train: int = 4000
    embed_dim: int = 16
    margin: float = 1.0
    batch: int = 50
    epochs: int = 12
    lr: float = 1e-3
    seed: int = 20


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc = nn.Linear(32 * 4 * 4, dim)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = nn.functional.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


def euclidean(a, b):
    return torch.sqrt(((a - b) ** 2).sum(dim=1))


def contrastive_loss(dist, same, margin):
    pull = same * dist.pow(2)
    push = (1 - same) * torch.clamp(margin - dist, min=0).pow(2)
    return (pull + push).mean()


def iterate(n, batch, rng):
    order = rng.permutation(n)
    for s in range(0, n, batch):
        yield torch.from_numpy(order[s : s + batch])


@torch.no_grad()
def verification_auc(net, images, left, right, same):
    dist = euclidean(net(images[left]), net(images[right]))
    score = torch.nan_to_num(-dist, nan=0.0)
    return roc_auc_score(same.numpy(), score.numpy()), dist[same == 1].mean().item(), dist[same == 0].mean().item()


def main():
    cfg = Settings()
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)

    images = torch.tensor(load_digits().images / 16.0, dtype=torch.float32).unsqueeze(1)
    table = np.load(cfg.pairs)
    left, right = (torch.from_numpy(table[k].astype(np.int64)) for k in ("left", "right"))
    same = torch.from_numpy(table["same"].astype(np.float32))
    tr, te = slice(0, cfg.n_train), slice(cfg.n_train, None)

    net = Encoder(cfg.embed_dim)
    opt = torch.optim.NAdam(net.parameters(), lr=cfg.lr)

    for epoch in range(cfg.epochs):
        total, nb = 0.0, 0
        for idx in iterate(cfg.n_train, cfg.batch, rng):
            dist = euclidean(net(images[left[tr][idx]]), net(images[right[tr][idx]]))
            loss = contrastive_loss(dist, same[tr][idx], cfg.margin)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            nb += 1
        auc, d_same, d_diff = verification_auc(net, images, left[te], right[te], same[te])
        print(f"epoch {epoch:2d}: loss={total / nb:.4f} auc={auc:.4f} d_same={d_same:.3f} d_diff={d_diff:.3f}")


if __name__ == "__main__":
    main()
