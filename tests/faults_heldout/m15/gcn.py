import torch
import torch.nn as nn


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, self.lin(x))


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_classes, depth=4, p=0.3):
        super().__init__()
        dims = [n_in] + [hidden] * (depth - 1)
        self.convs = nn.ModuleList([GraphConv(a, b) for a, b in zip(dims, dims[1:])])
        self.last = GraphConv(dims[-1], n_classes)
        self.drop = nn.Dropout(p)
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, nn.Linear):
            nn.init.normal_(m.weight, 0.1)
            nn.init.zeros_(m.bias)

    def forward(self, x, adj):
        for conv in self.convs:
            x = self.drop(torch.relu(conv(x, adj)))
        return self.last(x, adj)
