from torch import nn
import torch.nn.functional as F


class Propagate(nn.Module):
    def __init__(self, dim, p):
        super().__init__()
        self.own = nn.Linear(dim, dim)
        self.neigh = nn.Linear(dim, dim, bias=False)
        self.p = p

    def forward(self, h, adj):
        gathered = adj @ h
        return h + F.dropout(F.relu(self.own(h) + self.neigh(gathered)), self.p, self.training)


class FieldNet(nn.Module):
    def __init__(self, n_in, dim, classes, depth, p):
        super().__init__()
        self.embed = nn.Linear(n_in, dim)
        self.layers = nn.ModuleList(Propagate(dim, p) for _ in range(depth))
        self.out = nn.Linear(dim, classes)

    def forward(self, x, adj):
        h = F.dropout(self.embed(x), 0.3, self.training)
        for layer in self.layers:
            h = layer(h, adj)
        return self.out(h)
