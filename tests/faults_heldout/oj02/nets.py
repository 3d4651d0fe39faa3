import torch
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(d_out))

    def forward(self, x, adj):
        return torch.sparse.mm(adj, self.lin(x)) + self.bias


class PaperNet(nn.Module):
    def __init__(self, d_in, hidden, classes, drop):
        super().__init__()
        self.c1 = GraphConv(d_in, hidden)
        self.c2 = GraphConv(hidden, classes)
        self.drop = nn.Dropout(drop)

    def forward(self, x, adj):
        h = torch.relu(self.c1(self.drop(x), adj))
        return self.c2(self.drop(h), adj)
