"""Message passing network for molecular energies, one molecule per update."""
import argparse
import random

import torch
from torch import nn

from graphs import read


class MPNN(nn.Module):
    def __init__(self, n_types=4, dim=24):
        super().__init__()
        self.embed = nn.Embedding(n_types, dim)
        self.message = nn.Sequential(nn.Linear(2 * dim, dim), nn.SiLU(), nn.Linear(dim, dim))
        self.atom_energy = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, 1))
        self.bond_energy = nn.Sequential(nn.Linear(2 * dim, dim), nn.SiLU(), nn.Linear(dim, 1))

    def forward(self, atoms, edges):
        h = self.embed(atoms)
        src, dst = edges
        m = self.message(torch.cat([h[src], h[dst]], -1))
        h = h + 0.2 * torch.zeros_like(h).index_add(0, dst, m)
        pair = torch.cat([h[src], h[dst]], -1)
        return self.atom_energy(h).sum() + 0.5 * self.bond_energy(pair).sum()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    random.seed(args.seed)
    graphs = read()
    train, test = graphs[:400], graphs[400:]
    ys = torch.stack([g[2] for g in train])
    std = ys.std()
    net = MPNN()
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(train))
    for epoch in range(1, args.epochs + 1):
        net.train()
        random.shuffle(train)
        total = 0.0
        for i, (atoms, edges, energy) in enumerate(train):
            loss = (net(atoms, edges) - energy / std).square()
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
            if i % 100 == 0:
                print(f"  {epoch}.{i:03d} loss {loss.item():.4f}")
        net.eval()
        with torch.no_grad():
            err = torch.stack([net(a, e) * std - t for a, e, t in test])
        print(f"epoch {epoch:2d} train mse {total / len(train):.4f} test rmse {err.square().mean().sqrt().item():.4f} (target std {std.item():.3f})")


if __name__ == "__main__":
    main()
