import torch
from torch import nn
import torch.nn.functional as F


class GCN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out, dropout):
        super().__init__()
        self.w1 = nn.Linear(n_in, n_hidden, bias=False)
        self.b1 = nn.Parameter(torch.zeros(n_hidden))
        self.w2 = nn.Linear(n_hidden, n_out, bias=False)
        self.b2 = nn.Parameter(torch.zeros(n_out))
        self.dropout = dropout

    def forward(self, x, a):
        x = F.dropout(x, self.dropout, self.training)
        h = F.relu(torch.sparse.mm(a, self.w1(x)) + self.b1)
        h = F.dropout(h, self.dropout, self.training)
        return torch.sparse.mm(a, self.w2(h)) + self.b2
