import argparse
import copy
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, self.lin(x))


class GCN(nn.Module):
    def __init__(self, d_in, hidden, n_classes, dropout):
        super().__init__()
        self.c1 = GraphConv(d_in, hidden)
        self.c2 = GraphConv(hidden, n_classes)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        h = F.relu(self.c1(x, adj))
        h = F.dropout(h, self.dropout, self.training)
        return self.c2(h, adj)


class Average:
    """Exponential moving average of the weights, used for evaluation."""

    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1.0 - self.decay)


def normalised_adjacency(edges, n):
    src = torch.cat([edges[0], edges[1], torch.arange(n)])
    dst = torch.cat([edges[1], edges[0], torch.arange(n)])
    deg = torch.bincount(dst, minlength=n).float().rsqrt()
    return torch.sparse_coo_tensor(torch.stack([dst, src]), deg[dst] * deg[src], (n, n),
                                   check_invariants=False).coalesce()


def accuracy(logits, y, mask):
    return (logits.argmax(1)[mask] == y[mask]).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--graph", default="papers.npz")
    ap.add_argument("--steps", type=int, default=300)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--dropout", type=float, default=0.4)
    ap.add_argument("--ema-decay", type=float, default=0.98)
    a = ap.parse_args()

    torch.manual_seed(1)
    g = np.load(Path(__file__).parent / a.graph)
    x = torch.from_numpy(g["words"]).float()
    x = x / x.sum(1, keepdim=True).clamp(min=1)
    y = torch.from_numpy(g["topic"]).long()
    adj = normalised_adjacency(torch.from_numpy(g["cites"]).long(), len(x))
    train, valid = torch.from_numpy(g["train_mask"]), torch.from_numpy(g["valid_mask"])

    model = GCN(x.shape[1], a.hidden, int(y.max()) + 1, a.dropout)
    average = Average(model, a.ema_decay)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr, weight_decay=5e-4)

    for step in range(1, a.steps + 1):
        model.train()
        loss = F.cross_entropy(model(x, adj)[train], y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()
        average.update(model)
        if step % 25 == 0:
            with torch.no_grad():
                out = average.shadow(x, adj)
            val = F.cross_entropy(out[valid], y[valid]).item()
            print(f"step {step:4d}  train loss {loss.item():.3f}  valid loss {val:.3f}  "
                  f"acc {accuracy(out, y, train):.3f} / {accuracy(out, y, valid):.3f}")


if __name__ == "__main__":
    main()
