import math
import torch
from torch import nn


class RelationalConv(nn.Module):
    """h_i' = W_self h_i + sum_r mean_{j in N_r(i)} W_r h_j"""

    def __init__(self, n_relations, d_in, d_out):
        super().__init__()
        self.rel = nn.Parameter(torch.empty(n_relations, d_in, d_out))
        self.loop = nn.Parameter(torch.empty(d_in, d_out))
        self.shift = nn.Parameter(torch.zeros(d_out))
        bound = math.sqrt(3.0 / d_in)
        nn.init.uniform_(self.rel, -bound, bound)
        nn.init.uniform_(self.loop, -bound, bound)

    def forward(self, h, adj):
        out = h @ self.loop + self.shift
        for r in range(self.rel.shape[0]):
            out = out + torch.sparse.mm(adj[r], h @ self.rel[r])
        return out
