import torch.nn.functional as F
from torch import nn


class GraphConv(nn.Module):
    """Propagate-then-project layer; drops entries of its input."""

    def __init__(self, d_in, d_out, dropout):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)
        self.dropout = dropout

    def forward(self, x, a_hat):
        x = F.dropout(x, self.dropout)
        return a_hat @ self.lin(x)


class GCN(nn.Module):
    def __init__(self, d_in, width, n_classes, dropout=0.6):
        super().__init__()
        self.c1 = GraphConv(d_in, width, dropout)
        self.c2 = GraphConv(width, n_classes, dropout)

    def forward(self, x, a_hat):
        h = F.relu(self.c1(x, a_hat))
        return self.c2(h, a_hat)
