"""Semi-supervised node classification on a citation-like graph with a two-layer GCN."""
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = Path(__file__).parent
torch.manual_seed(0)


def normalised_adjacency(edges, n):
    a = torch.zeros(n, n)
    a[edges[0], edges[1]] = 1.0
    a[edges[1], edges[0]] = 1.0
    a += torch.eye(n)
    d = a.sum(1).rsqrt()
    return (d[:, None] * a * d[None, :]).to_sparse()


class GCN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out, dropout):
        super().__init__()
        self.w1 = nn.Linear(n_in, n_hidden, bias=False)
        self.b1 = nn.Parameter(torch.zeros(n_hidden))
        self.w2 = nn.Linear(n_hidden, n_out, bias=False)
        self.b2 = nn.Parameter(torch.zeros(n_out))
        self.dropout = dropout

    def forward(self, adj, x):
        x = F.dropout(x, self.dropout, self.training)
        x = F.relu(torch.sparse.mm(adj, self.w1(x)) + self.b1)
        x = F.dropout(x, self.dropout, self.training)
        return torch.sparse.mm(adj, self.w2(x)) + self.b2


blob = np.load(HERE / "graph.npz")
x = torch.from_numpy(blob["x"]).float()
x = x / x.sum(1, keepdim=True).clamp(min=1.0)
y = torch.from_numpy(blob["y"]).long()
adj = normalised_adjacency(torch.from_numpy(blob["edges"]).long(), len(y))
train_mask, val_mask, test_mask = (torch.from_numpy(blob[k]) for k in ("train", "val", "test"))

model = GCN(x.size(1), 32, int(y.max()) + 1, dropout=0.5)
optimizer = torch.optim.Adam(
    [
        {"params": [*model.w1.parameters(), model.b1], "weight_decay": 5e-4},
        {"params": [*model.w2.parameters(), model.b2], "weight_decay": 0.0},
    ],
    lr=0.01,
)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)


@torch.no_grad()
def accuracy(mask):
    model.eval()
    return (model(adj, x)[mask].argmax(1) == y[mask]).float().mean().item()


best_val, best_test = 0.0, 0.0
for epoch in range(1, 301):
    model.train()
    optimizer.zero_grad()
    loss = criterion(model(adj, x)[train_mask], y[train_mask])
    loss.backward()
    optimizer.step()
    val = accuracy(val_mask)
    if val > best_val:
        best_val, best_test = val, accuracy(test_mask)
    if epoch % 20 == 0:
        print(f"{epoch:3d} | loss {loss.item():.3f} | train {accuracy(train_mask):.3f} | val {val:.3f}")
print(f"best val {best_val:.3f}, test at best val {best_test:.3f}")
