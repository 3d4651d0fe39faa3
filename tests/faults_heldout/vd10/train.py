"""Two-layer GCN, semi-supervised node classification."""
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)


def normalized_adjacency(edges, n):
    loops = torch.arange(n).repeat(2, 1)
    idx = torch.cat([edges.t(), edges.t().flip(0), loops], dim=1)
    deg = torch.zeros(n).index_add_(0, idx[0], torch.ones(idx.shape[1]))
    w = deg[idx[0]].rsqrt() * deg[idx[1]].rsqrt()
    return torch.sparse_coo_tensor(idx, w, (n, n), check_invariants=True).coalesce()


class GCN(nn.Module):
    def __init__(self, d_in, d_hidden, n_classes, p=0.5):
        super().__init__()
        self.w1 = nn.Linear(d_in, d_hidden, bias=False)
        self.b1 = nn.Parameter(torch.zeros(d_hidden))
        self.w2 = nn.Linear(d_hidden, n_classes, bias=False)
        self.b2 = nn.Parameter(torch.zeros(n_classes))
        self.p = p
        nn.init.xavier_uniform_(self.w1.weight)
        nn.init.xavier_uniform_(self.w2.weight)

    def forward(self, x, adj):
        x = F.dropout(x, self.p, self.training)
        h = F.relu(torch.sparse.mm(adj, self.w1(x)) + self.b1)
        h = F.dropout(h, self.p, self.training)
        return torch.sparse.mm(adj, self.w2(h)) + self.b2


g = np.load(Path(__file__).parent / "citations.npz")
x = torch.from_numpy(g["x"]).float()
x = x / x.sum(1, keepdim=True).clamp(min=1)
y = torch.from_numpy(g["y"]).long()
adj = normalized_adjacency(torch.from_numpy(g["edges"]).long(), len(y))
train, val, test = (torch.from_numpy(g[k]).long() for k in ("train", "val", "test"))
print(f"{len(y)} nodes, {len(g['edges'])} edges, {len(train)} labelled, {int(y.max()) + 1} classes")

model = GCN(x.shape[1], 32, int(y.max()) + 1)
optimizer = torch.optim.Adam([
    {"params": [model.w1.weight, model.b1], "weight_decay": 5e-4},
    {"params": [model.w2.weight, model.b2], "weight_decay": 0.0},
], lr=0.01)


def accuracy(logits, idx):
    return (logits[idx].argmax(1) == y[idx]).float().mean().item()


best_val, best_test, best_epoch = 0.0, 0.0, 0
for epoch in range(1, 301):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x, adj)[train], y[train])
    loss.backward()
    optimizer.step()

    model.eval()
    with torch.no_grad():
        logits = model(x, adj)
        val_loss = F.cross_entropy(logits[val], y[val]).item()
    acc = accuracy(logits, val)
    if acc > best_val:
        best_val, best_test, best_epoch = acc, accuracy(logits, test), epoch
    if epoch % 25 == 0:
        print(f"epoch {epoch:3d} loss {loss.item():.4f} val_loss {val_loss:.4f} "
              f"train_acc {accuracy(logits, train):.3f} val_acc {acc:.3f} test_acc {accuracy(logits, test):.3f}")

print(f"best val {best_val:.3f} at epoch {best_epoch}, test {best_test:.3f}")
