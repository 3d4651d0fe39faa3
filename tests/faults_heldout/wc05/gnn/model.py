import torch
from torch import nn
from torch.nn import functional as F


class GraphConv(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(c_in, c_out))
        self.bias = nn.Parameter(torch.zeros(c_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, a_hat, h):
        return torch.sparse.mm(a_hat, h @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, c_in, classes, hidden, dropout, layers):
        super().__init__()
        dims = [c_in] + [hidden] * (layers - 1) + [classes]
        self.convs = nn.ModuleList(GraphConv(a, b) for a, b in zip(dims, dims[1:]))
        self.dropout = dropout

    def forward(self, a_hat, h):
        for conv in self.convs[:-1]:
            h = F.relu(conv(a_hat, F.dropout(h, self.dropout, self.training)))
        return self.convs[-1](a_hat, F.dropout(h, self.dropout, self.training))
