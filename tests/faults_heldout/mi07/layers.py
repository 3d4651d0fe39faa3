import torch
from torch import nn


def normalised_adjacency(edges, n):
    loops = torch.arange(n).repeat(2, 1)
    idx = torch.cat([edges, edges.flip(0), loops], 1)
    deg = torch.bincount(idx[0], minlength=n).float()
    w = deg[idx[0]].rsqrt() * deg[idx[1]].rsqrt()
    return torch.sparse_coo_tensor(idx, w, (n, n), check_invariants=True).coalesce()


class GraphConv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(cin, cout))
        self.bias = nn.Parameter(torch.zeros(cout))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, adj, h):
        return torch.sparse.mm(adj, h @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, cin, hidden, classes, p):
        super().__init__()
        self.first = GraphConv(cin, hidden)
        self.second = GraphConv(hidden, classes)
        self.drop = nn.Dropout(p)

    def forward(self, adj, x):
        h = torch.relu(self.first(adj, self.drop(x)))
        return self.second(adj, self.drop(h))
