"""Research area of authors from the collaboration graph (two-layer GCN, half of the labels known)."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def normalised_adjacency(edges, n):
    a = torch.eye(n)
    a[edges[:, 0], edges[:, 1]] = 1.0
    a[edges[:, 1], edges[:, 0]] = 1.0
    d = a.sum(1).rsqrt()
    return (d[:, None] * a * d[None]).to_sparse()


class GraphConv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.lin = nn.Linear(cin, cout)

    def forward(self, adj, h):
        return torch.sparse.mm(adj, self.lin(h))


class GCN(nn.Module):
    def __init__(self, cin, hidden, classes, p=0.4):
        super().__init__()
        self.c1, self.c2 = GraphConv(cin, hidden), GraphConv(hidden, classes)
        self.p = p

    def forward(self, adj, x):
        h = F.relu(self.c1(adj, F.dropout(x, 0.2, self.training)))
        return self.c2(adj, F.dropout(h, self.p, self.training))


if __name__ == "__main__":
    torch.manual_seed(5)
    g = np.load("collab.npz")
    x, y = torch.tensor(g["feat"]), torch.tensor(g["area"])
    x = (x - x.mean(0)) / x.std(0)
    adj = normalised_adjacency(torch.tensor(g["edges"]).long(), len(y))
    order = torch.randperm(len(y))
    known, held = order[:300], order[300:]
    net = GCN(x.shape[1], 16, 3)
    opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
    for it in range(1, 201):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(adj, x)[known], y[known])
        loss.backward()
        opt.step()
        if it % 20 == 0:
            net.eval()
            with torch.no_grad():
                z = net(adj, x)
            acc = (z.argmax(1) == y).float()
            print(f"{it:4d} loss {loss.item():.3f} | held-out loss {F.cross_entropy(z[held], y[held]).item():.3f} acc known {acc[known].mean():.3f} held-out {acc[held].mean():.3f}")
