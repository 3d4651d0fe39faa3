"""Batch-hard triplet embedding of sensor fingerprints; evaluated by nearest-neighbour retrieval."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Settings:
    devices: int = 24
    per_device: int = 30
    channels: int = 40
    embed: int = 16
    p: int = 8
    k: int = 4
    steps: int = 600
    lr: float = 2e-3
    margin: float = 0.4
    seed: int = 6


def fingerprints(cfg, gen):
    """Each device has its own transfer curve; every measurement sees it through gain, offset and noise."""
    curve = torch.randn(cfg.devices, 6, generator=gen)
    basis = torch.randn(6, cfg.channels, generator=gen)
    label = torch.arange(cfg.devices).repeat_interleave(cfg.per_device)
    clean = torch.tanh(curve[label] @ basis / 2.5)
    nuisance = torch.randn(len(label), 4, generator=gen) @ torch.randn(4, cfg.channels, generator=gen)
    x = clean + 0.55 * nuisance + 0.3 * torch.randn(clean.shape, generator=gen)
    return x, label


class Embedder(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, n_out))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=1)


def distances(a, b):
    squared = (a.unsqueeze(1) - b.unsqueeze(0)).square().sum(-1)
    return squared.sqrt()


def batch_hard(z, label, margin):
    d = distances(z, z)
    same = label[:, None] == label[None, :]
    positive = (d * same).amax(1)
    negative = d.masked_fill(same, float("inf")).amin(1)
    return torch.relu(positive - negative + margin).mean()


def pk_batch(x, label, cfg, gen):
    chosen = torch.randperm(cfg.devices, generator=gen)[: cfg.p]
    rows = []
    for c in chosen:
        pool = torch.nonzero(label == c).flatten()
        rows.append(pool[torch.randperm(len(pool), generator=gen)[: cfg.k]])
    rows = torch.cat(rows)
    return x[rows], label[rows]


@torch.no_grad()
def recall_at_1(model, x, label):
    z = model(x)
    d = distances(z, z)
    d.fill_diagonal_(float("inf"))
    return (label[d.argmin(1)] == label).float().mean().item()


def main(cfg=Settings()):
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    x, label = fingerprints(cfg, gen)
    held = torch.arange(len(x)) % cfg.per_device >= cfg.per_device * 2 // 3
    x_train, y_train, x_test, y_test = x[~held], label[~held], x[held], label[held]
    model = Embedder(cfg.channels, cfg.embed)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    print(f"step    0  recall@1 {recall_at_1(model, x_test, y_test):.3f}")
    for step in range(1, cfg.steps + 1):
        xb, yb = pk_batch(x_train, y_train, cfg, gen)
        loss = batch_hard(model(xb), yb, cfg.margin)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print(f"step {step:4d}  triplet {loss.item():.4f}  recall@1 {recall_at_1(model, x_test, y_test):.3f}")


if __name__ == "__main__":
    main()
