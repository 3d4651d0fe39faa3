import torch
import torch.nn as nn
import torch.nn.functional as F


def norm_adj(edges, n):
    i = torch.cat([edges[:, 0], edges[:, 1], torch.arange(n)])
    j = torch.cat([edges[:, 1], edges[:, 0], torch.arange(n)])
    deg = torch.zeros(n).index_add_(0, i, torch.ones(len(i)))
    w = deg[i].rsqrt() * deg[j].rsqrt()
    return torch.sparse_coo_tensor(torch.stack([i, j]), w, (n, n)).coalesce()


class GCN(nn.Module):
    def __init__(self, d_in, hidden, n_cls, p=0.4):
        super().__init__()
        self.w1 = nn.Linear(d_in, hidden)
        self.w2 = nn.Linear(hidden, n_cls)
        self.p = p

    def forward(self, x, adj):
        h = torch.sparse.mm(adj, self.w1(F.dropout(x, self.p, self.training))).relu()
        h = F.dropout(h, self.p, self.training)
        return torch.sparse.mm(adj, self.w2(h)).log_softmax(-1)
