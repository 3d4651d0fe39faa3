import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d_in, d_out))
        self.bias = nn.Parameter(torch.zeros(d_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, d_in, hidden, classes, dropout):
        super().__init__()
        self.c1, self.c2 = GraphConv(d_in, hidden), GraphConv(hidden, classes)
        self.p = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.p, self.training)
        h = F.relu(self.c1(x, adj))
        return self.c2(F.dropout(h, self.p, self.training), adj)
