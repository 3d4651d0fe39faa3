"""Semi-supervised topic classification on a citation graph with a two-layer GCN."""
import copy
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def normalized_adjacency(edges, n):
    i = np.concatenate([edges[0], edges[1], np.arange(n)])
    j = np.concatenate([edges[1], edges[0], np.arange(n)])
    adj = torch.sparse_coo_tensor(torch.from_numpy(np.stack([i, j])), torch.ones(len(i)), (n, n), check_invariants=True).coalesce()
    deg = torch.sparse.sum(adj, 1).to_dense()
    row, col = adj.indices()
    return torch.sparse_coo_tensor(adj.indices(), adj.values() / (deg[row] * deg[col]).sqrt(), (n, n),
                                   check_invariants=True).coalesce()


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(d_out))
        nn.init.xavier_uniform_(self.lin.weight)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, self.lin(x)) + self.bias


class GCN(nn.Module):
    def __init__(self, d_in, hidden, n_classes, dropout):
        super().__init__()
        self.c1 = GraphConv(d_in, hidden)
        self.c2 = GraphConv(hidden, n_classes)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        x = F.relu(self.c1(x, adj))
        x = F.dropout(x, self.dropout, self.training)
        return self.c2(x, adj)


def accuracy(logits, y, idx):
    return (logits[idx].argmax(1) == y[idx]).float().mean().item()


def main():
    torch.manual_seed(42)
    g = np.load(Path(__file__).parent / "papers.npz")
    x = torch.tensor(g["x"], dtype=torch.float32)
    x = x / x.sum(1, keepdim=True).clamp_min(1)
    y = torch.tensor(g["y"])
    train, val, test = (torch.tensor(g[k]) for k in ("train", "val", "test"))
    adj = normalized_adjacency(g["edges"], len(y))
    print(f"{len(y)} nodes, {g['edges'].shape[1]} edges, {len(train)} labelled")

    model = GCN(x.shape[1], 32, int(y.max()) + 1, dropout=0.5)
    optimizer = torch.optim.Adam([
        {"params": model.c1.parameters(), "weight_decay": 5e-4},
        {"params": model.c2.parameters(), "weight_decay": 0.0},
    ], lr=0.02)

    best, best_state, waited, patience = float("inf"), None, 0, 50
    for epoch in range(500):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, adj)[train], y[train])
        loss.backward()
        optimizer.step()

        model.eval()
        with torch.no_grad():
            logits = model(x, adj)
            val_loss = F.cross_entropy(logits[val], y[val]).item()
        if val_loss < best:
            best, best_state, waited = val_loss, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
        if epoch % 25 == 0:
            print(f"epoch {epoch:3d} train loss {loss.item():.3f} acc {accuracy(logits, y, train):.3f} | val loss {val_loss:.3f} acc {accuracy(logits, y, val):.3f}")
        if waited >= patience:
            print(f"stopped at epoch {epoch}")
            break

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        logits = model(x, adj)
    print(f"best val loss {best:.3f}  val acc {accuracy(logits, y, val):.3f}  test acc {accuracy(logits, y, test):.3f}")


if __name__ == "__main__":
    main()
