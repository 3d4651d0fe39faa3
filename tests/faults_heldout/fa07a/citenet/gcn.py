import torch
import torch.nn.functional as F
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, self.lin(x))


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout):
        super().__init__()
        self.conv1 = GraphConv(n_in, hidden)
        self.conv2 = GraphConv(hidden, n_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, adj):
        h = F.relu(self.conv1(self.drop(x), adj))
        return self.conv2(self.drop(h), adj)
