import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 13
N, C, D = 600, 5, 40


def build_graph(seed):
    g = np.random.default_rng(seed)
    y = g.integers(0, C, N)
    p = np.where(y[:, None] == y[None, :], 0.04, 0.004)
    a = np.triu(g.random((N, N)) < p, 1)
    a = (a | a.T).astype(np.float32)
    topics = g.random((C, D)) < 0.25
    prob = np.where(topics[y], 0.16, 0.06)
    x = (g.random((N, D)) < prob).astype(np.float32)
    return torch.from_numpy(a), torch.from_numpy(x), torch.from_numpy(y)


def normalise(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return (d[:, None] * a * d[None, :]).to_sparse_coo()


class GraphConv(nn.Module):
    def __init__(self, fin, fout):
        super().__init__()
        self.lin = nn.Linear(fin, fout, bias=False)
        self.bias = nn.Parameter(torch.zeros(fout))

    def forward(self, a, x):
        return torch.sparse.mm(a, self.lin(x)) + self.bias


class GCN(nn.Module):
    def __init__(self, fin, hidden, fout, p=0.4):
        super().__init__()
        self.c1 = GraphConv(fin, hidden)
        self.c2 = GraphConv(hidden, fout)
        self.p = p

    def forward(self, a, x):
        x = F.dropout(x, 0.2, self.training)
        h = F.relu(self.c1(a, x))
        h = F.dropout(h, self.p, self.training)
        return self.c2(a, h)


torch.manual_seed(SEED)
adj, feats, labels = build_graph(SEED)
feats = feats / feats.sum(1, keepdim=True).clamp(min=1)
a_hat = normalise(adj)

# semi-supervised split: 30 nodes of each class for training
perm = torch.randperm(N)
train_idx = torch.cat([perm[labels[perm] == c][:30] for c in range(C)])
rest = perm[~torch.isin(perm, train_idx)]
val_idx, test_idx = rest[:150], rest[150:]

model = GCN(D, 32, C)
optimizer = torch.optim.Adam([
    {"params": model.c1.parameters(), "weight_decay": 5e-4},
    {"params": model.c2.parameters(), "weight_decay": 0.0},
], lr=0.01)

best_val, best_state = 0.0, None
for epoch in range(1, 201):
    model.train()
    optimizer.zero_grad()
    out = model(a_hat, feats)
    loss = F.cross_entropy(out[train_idx], labels[train_idx])
    loss.backward()
    optimizer.step()

    model.eval()
    with torch.no_grad():
        pred = model(a_hat, feats).argmax(1)
    val = (pred[val_idx] == labels[val_idx]).float().mean().item()
    if val > best_val:
        best_val = val
        best_state = {k: v.clone() for k, v in model.state_dict().items()}
    if epoch % 20 == 0:
        print(f"epoch {epoch:3d} | loss {loss.item():.4f} | val acc {val:.3f}")

model.load_state_dict(best_state)
model.eval()
with torch.no_grad():
    pred = model(a_hat, feats).argmax(1)
print(f"test acc {(pred[test_idx] == labels[test_idx]).float().mean().item():.3f} (best val {best_val:.3f})")
