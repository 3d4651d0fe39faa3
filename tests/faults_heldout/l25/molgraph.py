"""Message passing on variable-size contact graphs; one graph a forward pass, gradients accumulated over 16 graphs."""
import argparse
import random

import torch
from torch import nn


def random_graph(rng):
    n = rng.randint(8, 18)
    pos = torch.tensor([[rng.random(), rng.random()] for _ in range(n)])
    kind = torch.tensor([rng.randrange(4) for _ in range(n)])
    adj = ((torch.cdist(pos, pos) < 0.38) & ~torch.eye(n, dtype=torch.bool)).float()
    polar = torch.tensor([1.0, -1.0, 0.5, -0.5])[kind]
    degree = adj.sum(1)
    energy = -0.5 * (adj * polar[:, None] * polar[None, :]).sum() + 0.15 * (degree - 3).abs().sum()
    return kind, adj, energy + 0.1 * rng.gauss(0, 1)


class Passing(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.msg = nn.Sequential(nn.Linear(h, h), nn.SiLU())
        self.upd = nn.GRUCell(h, h)

    def forward(self, x, adj):
        return self.upd(adj @ self.msg(x), x)


class EnergyNet(nn.Module):
    def __init__(self, kinds=4, h=40, rounds=3):
        super().__init__()
        self.embed = nn.Embedding(kinds, h)
        self.rounds = nn.ModuleList(Passing(h) for _ in range(rounds))
        self.read = nn.Sequential(nn.Linear(2 * h + 1, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, kind, adj):
        x0 = x = self.embed(kind)
        for r in self.rounds:
            x = r(x, adj)
        return self.read(torch.cat([x, x0, adj.sum(1, keepdim=True) / 4], 1)).sum()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--graphs", type=int, default=480)
    p.add_argument("--accumulate", type=int, default=16)
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--lr", type=float, default=2e-3)
    a = p.parse_args()
    rng = random.Random(25)
    torch.manual_seed(25)
    graphs = [random_graph(rng) for _ in range(a.graphs)]
    held = [random_graph(rng) for _ in range(160)]
    e = torch.stack([g[2] for g in graphs])
    mean, std = e.mean(), e.std()
    net = EnergyNet()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * (a.graphs // a.accumulate))
    for epoch in range(a.epochs):
        rng.shuffle(graphs)
        net.train()
        total = 0.0
        opt.zero_grad()
        for i, (kind, adj, energy) in enumerate(graphs, 1):
            loss = (net(kind, adj) - (energy - mean) / std).square()
            (loss / a.accumulate).backward()
            total += loss.item()
            if i % a.accumulate == 0:
                nn.utils.clip_grad_norm_(net.parameters(), 2.0)
                opt.step()
                sched.step()
                opt.zero_grad()
        net.eval()
        with torch.no_grad():
            mse = sum((net(k, m) - (t - mean) / std).square().item() for k, m, t in held) / len(held)
        print(f"epoch {epoch:2d} | train {total / len(graphs):.4f} | held-out {mse:.4f} (R2 against the training mean {1 - mse:.3f})",
              flush=True)


if __name__ == "__main__":
    main()
