"""Graph classification with a small GIN on dense, padded graphs stored in npz shards."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

HERE = Path(__file__).resolve().parent
N_TYPES = 6


class GraphBatch:
    """Node types [B, N] (-1 = empty slot), adjacency [B, N, N], label [B]."""

    def __init__(self, types, adj, label):
        self.types, self.adj, self.label = types, adj, label

    @classmethod
    def from_glob(cls, pattern):
        shards = [np.load(p) for p in sorted(HERE.glob(pattern))]
        if not shards:
            raise FileNotFoundError(pattern)
        cat = lambda k: torch.from_numpy(np.concatenate([s[k] for s in shards]))
        return cls(cat("types").long(), cat("adj").float(), cat("label").long())

    def __len__(self):
        return len(self.label)

    def __getitem__(self, idx):
        return GraphBatch(self.types[idx], self.adj[idx], self.label[idx])


class GINLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(()))
        self.mlp = nn.Sequential(nn.Linear(d_in, d_out), nn.ReLU(), nn.Linear(d_out, d_out))

    def forward(self, h, adj, mask):
        return torch.relu(self.mlp((1 + self.eps) * h + adj @ h)) * mask


class GIN(nn.Module):
    def __init__(self, hidden, layers, dropout):
        super().__init__()
        dims = [N_TYPES] + [hidden] * layers
        self.layers = nn.ModuleList(GINLayer(a, b) for a, b in zip(dims, dims[1:]))
        self.dropout = dropout
        self.readout = nn.Linear(hidden * layers, 2)

    def forward(self, g):
        mask = (g.types >= 0).unsqueeze(-1).float()
        h = F.one_hot(g.types.clamp(min=0), N_TYPES).float() * mask
        pooled = []
        for layer in self.layers:
            h = layer(h, g.adj, mask)
            pooled.append(h.sum(1) / 10)
        return self.readout(F.dropout(torch.cat(pooled, -1), self.dropout, self.training))


def evaluate(model, data):
    model.eval()
    with torch.no_grad():
        logits = model(data)
    return F.cross_entropy(logits, data.label).item(), (logits.argmax(1) == data.label).float().mean().item()


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--train", required=True, metavar="GLOB")
    ap.add_argument("--val", required=True, metavar="GLOB")
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--layers", type=int, default=3)
    ap.add_argument("--dropout", type=float, default=0.2)
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=17)
    opt = ap.parse_args()

    torch.manual_seed(opt.seed)
    train, val = GraphBatch.from_glob(opt.train), GraphBatch.from_glob(opt.val)
    print(f"train {len(train)} graphs, val {len(val)} graphs")

    model = GIN(opt.hidden, opt.layers, opt.dropout)
    optimizer = torch.optim.AdamW(model.parameters(), lr=opt.lr, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=opt.epochs)
    best = 0.0
    for epoch in range(1, opt.epochs + 1):
        model.train()
        for idx in torch.randperm(len(train)).split(opt.batch_size):
            g = train[idx]
            loss = F.cross_entropy(model(g), g.label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        if epoch % 4 == 0:
            (tl, ta), (vl, va) = evaluate(model, train), evaluate(model, val)
            best = max(best, va)
            print(f"{epoch:3d}  train {tl:.3f}/{ta:.3f}  val {vl:.3f}/{va:.3f}")
    print(f"best val acc {best:.3f}")
