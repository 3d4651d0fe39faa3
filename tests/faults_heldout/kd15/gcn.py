"""Topics of papers from words and citations (transductive: the whole graph is the input, labels only of the training papers)."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

from graphdata import load, normalised_adjacency, split


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o)

    def forward(self, x, adj):
        return adj @ self.lin(x)


class GCN(nn.Module):
    def __init__(self, i, h, o, p):
        super().__init__()
        self.a, self.b, self.p = GraphConv(i, h), GraphConv(h, o), p

    def forward(self, x, adj):
        x = F.dropout(x, self.p, self.training)
        x = F.relu(self.a(x, adj))
        return self.b(F.dropout(x, self.p, self.training), adj)


def fit(x, adj, y, parts, a, log):
    torch.manual_seed(a.seed)
    tr, va, te = parts
    net = GCN(x.shape[1], a.hidden, int(y.max()) + 1, a.dropout)
    opt = torch.optim.Adam([{"params": net.a.parameters(), "weight_decay": a.wd},
                            {"params": net.b.parameters()}], lr=a.lr)
    for ep in range(a.epochs):
        net.train()
        loss = F.cross_entropy(net(x, adj)[tr], y[tr])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if log and (ep % 5 == 4 or ep == 0):
            net.eval()
            with torch.no_grad():
                out = net(x, adj)
            acc = lambda i: (out[i].argmax(1) == y[i]).float().mean().item()
            print(f"{ep + 1:4d} loss {loss.item():.3f} | eval: train {F.cross_entropy(out[tr], y[tr]):.3f} val {F.cross_entropy(out[va], y[va]):.3f} "
                  f"acc train {acc(tr):.3f} val {acc(va):.3f}")
    net.eval()
    with torch.no_grad():
        return (net(x, adj)[te].argmax(1) == y[te]).float().mean().item()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--dropout", type=float, default=0.5)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--wd", type=float, default=4e-3)
    p.add_argument("--epochs", type=int, default=45)
    p.add_argument("--seed", type=int, default=2)
    a = p.parse_args()
    x, y, edges = load("papers.npz")
    parts = split(y, per_class=60, n_val=300, seed=a.seed)
    x = (x - x[parts[0]].mean(0)) / x[parts[0]].std(0).clamp(min=1e-3)
    adj = normalised_adjacency(edges, len(x))
    print(f"{len(x)} papers, {edges.shape[1]} citations, {len(parts[0])} labelled")
    test = fit(x, adj, y, parts, a, log=True)
    print(f"test accuracy {test:.3f} (majority {y.bincount().max() / len(y):.3f})")
