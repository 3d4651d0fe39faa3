"""Apparent-age style estimation: each face descriptor carries a distribution of votes over age bins."""
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Settings:
    n_samples: int = 5000
    n_features: int = 32
    bins: list = field(default_factory=lambda: list(range(18, 66, 4)))
    batch_size: int = 64
    epochs: int = 15
    lr: float = 2e-3
    seed: int = 14


def build_votes(s: Settings):
    rng = np.random.default_rng(s.seed)
    x = rng.normal(size=(s.n_samples, s.n_features))
    w1 = rng.normal(size=(s.n_features, 10)) / np.sqrt(s.n_features)
    w2 = rng.normal(size=10)
    latent = np.tanh(1.5 * x @ w1) @ w2
    age = 40 + 9 * (latent - latent.mean()) / latent.std()
    spread = 4 + 3 / (1 + np.exp(-2 * x[:, 0]))
    bins = np.array(s.bins)
    dens = np.exp(-0.5 * ((bins[None] - age[:, None]) / spread[:, None]) ** 2)
    prob = dens / dens.sum(1, keepdims=True)
    votes = np.stack([rng.multinomial(40, p) for p in prob]) / 40.0
    return torch.tensor(x, dtype=torch.float32), torch.tensor(votes, dtype=torch.float32)


class AgeDistribution(nn.Module):
    def __init__(self, n_in, n_bins):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(n_in, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(),
        )
        self.bins = nn.Linear(64, n_bins)

    def forward(self, x):
        return F.softmax(self.bins(self.trunk(x)), dim=-1)


@torch.no_grad()
def report(model, loader, bins):
    model.eval()
    l1, mae, ent, n = 0.0, 0.0, 0.0, 0
    for x, t in loader:
        p = model(x)
        l1 += (p - t).abs().sum().item()
        mae += ((p - t) @ bins).abs().sum().item()
        ent += torch.special.entr(p).sum().item()
        n += len(x)
    return l1 / n, mae / n, ent / n


def main():
    s = Settings()
    torch.manual_seed(s.seed)
    x, votes = build_votes(s)
    cut = int(0.8 * len(x))
    train = DataLoader(TensorDataset(x[:cut], votes[:cut]), s.batch_size, shuffle=True)
    held = DataLoader(TensorDataset(x[cut:], votes[cut:]), 500)
    bins = torch.tensor(s.bins, dtype=torch.float32)

    model = AgeDistribution(s.n_features, len(s.bins))
    divergence = nn.KLDivLoss(reduction="batchmean")
    opt = torch.optim.Adam(model.parameters(), lr=s.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.88)

    target_entropy = torch.special.entr(votes[cut:]).sum(1).mean().item()
    print(f"mean vote entropy {target_entropy:.3f}, spread of mean age {(votes[cut:] @ bins).std().item():.2f} years")
    for epoch in range(s.epochs):
        model.train()
        total = 0.0
        for xb, tb in train:
            loss = divergence(model(xb), tb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        l1, mae, ent = report(model, held, bins)
        print(f"{epoch:02d} loss {total / cut:+.4f} | held-out L1 {l1:.3f} mean-age error {mae:.2f} y entropy {ent:.3f}")


if __name__ == "__main__":
    main()
