import torch
from torch import nn


class SageLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.neigh = nn.Linear(d_in, d_out, bias=False)

    def forward(self, h, src, dst, degree):
        agg = torch.zeros_like(h).index_add(0, dst, h[src]) / degree[:, None]
        return self.own(h) + self.neigh(agg)


class RoadGNN(nn.Module):
    def __init__(self, d_in, hidden, n_zones):
        super().__init__()
        self.l1 = SageLayer(d_in, hidden)
        self.l2 = SageLayer(hidden, hidden)
        self.l3 = nn.Linear(hidden, n_zones)
        self.drop = nn.Dropout(0.3)

    def forward(self, x, src, dst, degree):
        h = self.drop(torch.relu(self.l1(x, src, dst, degree)))
        h = self.drop(torch.relu(self.l2(h, src, dst, degree)))
        return self.l3(h)
