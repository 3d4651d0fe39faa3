import torch
from torch import nn


class GCNLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, a, h):
        return torch.sparse.mm(a, self.lin(h))


class GCN(nn.Module):
    def __init__(self, d_in, hidden, n_classes, dropout=0.5):
        super().__init__()
        self.l1 = GCNLayer(d_in, hidden)
        self.l2 = GCNLayer(hidden, hidden)
        self.out = nn.Linear(hidden, n_classes)
        self.drop = nn.Dropout(dropout)

    def forward(self, a, x):
        h = torch.relu(self.l1(a, self.drop(x)))
        h = torch.relu(self.l2(a, self.drop(h)))
        return self.out(self.drop(h))
