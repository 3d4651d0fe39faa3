import torch
from torch import nn


def propagation(edge, n):
    """D^-1/2 (A + I) D^-1/2 of the undirected graph"""
    i = torch.cat([edge[0], edge[1], torch.arange(n)])
    j = torch.cat([edge[1], edge[0], torch.arange(n)])
    a = torch.sparse_coo_tensor(torch.stack([i, j]), torch.ones(len(i)), (n, n), check_invariants=True).coalesce()
    a = torch.sparse_coo_tensor(a.indices(), torch.ones(a._nnz()), (n, n), is_coalesced=True, check_invariants=True)
    d = torch.sparse.sum(a, 1).to_dense().rsqrt()
    r, c = a.indices()
    return torch.sparse_coo_tensor(a.indices(), d[r] * d[c], (n, n), check_invariants=True).coalesce()


class GCN(nn.Module):
    def __init__(self, d_in, h, k, p=0.5):
        super().__init__()
        self.w1, self.w2, self.p = nn.Linear(d_in, h), nn.Linear(h, k), p

    def forward(self, x, a):
        f = nn.functional.dropout
        x = torch.relu(torch.sparse.mm(a, self.w1(f(x, self.p, self.training))))
        return torch.sparse.mm(a, self.w2(f(x, self.p, self.training)))
