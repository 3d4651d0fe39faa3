import torch
import torch.nn.functional as F
from torch import nn


def normalise(src, dst, n):
    """Symmetrically normalised adjacency with self loops, sparse COO."""
    i = torch.cat([torch.stack([src, dst]), torch.stack([dst, src]), torch.arange(n).repeat(2, 1)], 1)
    deg = torch.bincount(i[0], minlength=n).float()
    w = deg[i[0]].rsqrt() * deg[i[1]].rsqrt()
    return torch.sparse_coo_tensor(i, w, (n, n), check_invariants=True).coalesce()


class GCN(nn.Module):
    def __init__(self, f, h, c, drop):
        super().__init__()
        self.w1, self.w2 = nn.Linear(f, h), nn.Linear(h, c)
        self.drop = drop

    def forward(self, x, adj):
        x = F.dropout(x, self.drop, self.training)
        x = torch.sparse.mm(adj, self.w1(x)).relu()
        x = F.dropout(x, self.drop, self.training)
        return torch.sparse.mm(adj, self.w2(x))
