import pathlib

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, fin, fout):
        super().__init__()
        self.lin = nn.Linear(fin, fout, bias=False)
        self.bias = nn.Parameter(torch.zeros(fout))

    def forward(self, adj, x):
        return torch.sparse.mm(adj, self.lin(x)) + self.bias


class GCN(nn.Module):
    def __init__(self, fin, hidden, classes, p=0.6):
        super().__init__()
        self.c1, self.c2 = GraphConv(fin, hidden), GraphConv(hidden, classes)
        self.p = p

    def forward(self, adj, x):
        x = F.dropout(x, self.p)
        x = F.relu(self.c1(adj, x))
        x = F.dropout(x, self.p)
        return self.c2(adj, x)


def normalized_adjacency(edges, n):
    src = torch.cat([edges[0], edges[1], torch.arange(n)])
    dst = torch.cat([edges[1], edges[0], torch.arange(n)])
    deg = torch.bincount(dst, minlength=n).float()
    w = (deg[src] * deg[dst]).rsqrt()
    return torch.sparse_coo_tensor(torch.stack([dst, src]), w, (n, n)).coalesce()


torch.manual_seed(15)
z = np.load(pathlib.Path(__file__).with_name("papers.npz"))
x = torch.from_numpy(z["words"]).float()
x = x / x.sum(1, keepdim=True)
y = torch.from_numpy(z["topic"]).long()
split = torch.from_numpy(z["split"])
adj = normalized_adjacency(torch.from_numpy(z["edges"]).long(), len(x))
train, val, test = (split == k for k in (1, 2, 3))

model = GCN(x.shape[1], 32, int(y.max()) + 1)
opt = torch.optim.Adam([
    {"params": model.c1.parameters(), "weight_decay": 5e-4},
    {"params": model.c2.parameters(), "weight_decay": 0.0},
], lr=0.01)

print(f"{len(x)} papers, {adj._nnz()} entries, {int(train.sum())} labelled, majority class {y[test].bincount().max() / test.sum():.3f}")
best_val, at_best = 0.0, 0.0
for epoch in range(1, 301):
    model.train()
    loss = F.cross_entropy(model(adj, x)[train], y[train])
    opt.zero_grad()
    loss.backward()
    opt.step()

    model.eval()
    with torch.no_grad():
        hit = (model(adj, x).argmax(1) == y).float()
    va, te = hit[val].mean().item(), hit[test].mean().item()
    if va > best_val:
        best_val, at_best = va, te
    if epoch % 20 == 0:
        print(f"epoch {epoch:3d}  loss {loss.item():.4f}  train {hit[train].mean():.4f}  val {va:.4f}  test {te:.4f}")
print(f"selected on validation: val {best_val:.4f}, test {at_best:.4f}")
