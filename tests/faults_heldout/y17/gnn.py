import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.own = nn.Linear(cin, cout)
        self.nbr = nn.Linear(cin, cout, bias=False)

    def forward(self, h, adj, mask):
        deg = adj.sum(-1, keepdim=True).clamp(min=1)
        out = self.own(h) + self.nbr(adj @ h / deg)
        return torch.relu(out) * mask[..., None]


class GraphNet(nn.Module):
    def __init__(self, cin, width, depth, classes):
        super().__init__()
        dims = [cin] + [width] * depth
        self.layers = nn.ModuleList(Layer(a, b) for a, b in zip(dims, dims[1:]))
        self.readout = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, classes))

    def forward(self, adj, feat, mask):
        h = feat
        for layer in self.layers:
            h = layer(h, adj, mask)
        mean = h.sum(1) / mask.sum(1, keepdim=True)
        return self.readout(torch.cat([mean, h.amax(1)], 1))
