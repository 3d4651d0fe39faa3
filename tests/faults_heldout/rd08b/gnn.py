import torch
from torch import nn


class SageLayer(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.own = nn.Linear(n_in, n_out)
        self.nbr = nn.Linear(n_in, n_out, bias=False)

    def forward(self, h, adj):
        return self.own(h) + self.nbr(torch.sparse.mm(adj, h))


class GraphEncoder(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.first = SageLayer(n_in, hidden)
        self.second = SageLayer(hidden, n_out)
        self.norm = nn.LayerNorm(hidden)

    def forward(self, x, adj):
        h = torch.relu(self.norm(self.first(x, adj)))
        return torch.relu(self.second(h, adj))


class NodeClassifier(nn.Module):
    def __init__(self, encoder, width, n_classes, dropout):
        super().__init__()
        self.encoder = encoder
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(width, n_classes)

    def forward(self, x, adj):
        return self.head(self.drop(self.encoder(x, adj)))


def row_normalised(edges, n):
    both = torch.cat([edges, edges.flip(0)], dim=1)
    degree = torch.bincount(both[0], minlength=n).clamp(min=1).float()
    return torch.sparse_coo_tensor(both, 1.0 / degree[both[0]], (n, n), check_invariants=True).coalesce()
