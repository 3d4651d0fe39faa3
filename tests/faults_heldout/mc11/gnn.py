import torch
from torch import nn
import torch.nn.functional as F


class MessagePassing(nn.Module):
    def __init__(self, d_in, d_out, reduce="sum"):
        super().__init__()
        self.lin_self = nn.Linear(d_in, d_out)
        self.lin_nb = nn.Linear(d_in, d_out, bias=False)
        self.reduce = reduce

    def forward(self, h, adj):
        msg = adj @ self.lin_nb(h)
        if self.reduce == "mean":
            msg = msg / adj.sum(1, keepdim=True)
        return self.lin_self(h) + msg


class GraphNet(nn.Module):
    def __init__(self, d_in, n_cls, width=32, layers=7, p=0.2):
        super().__init__()
        dims = [d_in] + [width] * layers
        self.convs = nn.ModuleList(MessagePassing(a, b) for a, b in zip(dims, dims[1:]))
        self.drop = nn.Dropout(p)
        self.out = nn.Linear(width, n_cls)

    def forward(self, x, adj):
        h = x
        for conv in self.convs:
            h = self.drop(F.relu(conv(h, adj)))
        return self.out(h)
