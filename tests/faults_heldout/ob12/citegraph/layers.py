import torch
from torch import nn
from torch.nn import functional as F


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(n_out))
        nn.init.xavier_uniform_(self.lin.weight)

    def forward(self, adj, x):
        return torch.sparse.mm(adj, self.lin(x)) + self.bias


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout):
        super().__init__()
        self.conv1 = GraphConv(n_in, hidden)
        self.conv2 = GraphConv(hidden, n_out)
        self.dropout = dropout

    def forward(self, adj, x):
        x = F.dropout(x, self.dropout, self.training)
        x = F.relu(self.conv1(adj, x))
        x = F.dropout(x, self.dropout, self.training)
        return self.conv2(adj, x)
