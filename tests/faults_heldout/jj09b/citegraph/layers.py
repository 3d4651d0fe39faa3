import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_in, n_out))
        self.bias = nn.Parameter(torch.zeros(n_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, layers=2, dropout=0.4):
        super().__init__()
        sizes = [n_in] + [hidden] * (layers - 1) + [n_out]
        self.convs = nn.ModuleList(GraphConv(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.dropout = dropout

    def forward(self, x, adj):
        for conv in self.convs[:-1]:
            x = F.relu(conv(F.dropout(x, self.dropout, self.training), adj))
        x = F.dropout(x, self.dropout, self.training)
        return self.convs[-1](x, adj)
