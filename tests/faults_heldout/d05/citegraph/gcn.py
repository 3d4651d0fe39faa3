import torch.nn.functional as F
from torch import nn


class GCN(nn.Module):
    def __init__(self, d_in, d_hid, k, dropout):
        super().__init__()
        self.lin1 = nn.Linear(d_in, d_hid)
        self.lin2 = nn.Linear(d_hid, k)
        self.p = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.p, self.training)
        h = F.relu(adj @ self.lin1(x))
        h = F.dropout(h, self.p, self.training)
        return adj @ self.lin2(h)
