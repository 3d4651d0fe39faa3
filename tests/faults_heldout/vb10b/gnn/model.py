import torch
from torch import nn


class GraphLayer(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.own = nn.Linear(n_in, n_out)
        self.neighbours = nn.Linear(n_in, n_out, bias=False)
        self.norm = nn.LayerNorm(n_out)

    def forward(self, h, adj, mask):
        mean = adj @ h / adj.sum(2, keepdim=True).clamp(min=1)
        return torch.relu(self.norm(self.own(h) + self.neighbours(mean))) * mask


class GraphClassifier(nn.Module):
    def __init__(self, n_features, hidden, layers, n_classes):
        super().__init__()
        sizes = [n_features] + [hidden] * layers
        self.layers = nn.ModuleList(GraphLayer(a, b) for a, b in zip(sizes, sizes[1:]))
        self.out = nn.Linear(2 * hidden, n_classes)

    def forward(self, adj, mask, feats):
        mask = mask.unsqueeze(2)
        h = feats
        for layer in self.layers:
            h = layer(h, adj, mask)
        mean = h.sum(1) / mask.sum(1)
        peak = h.amax(1)
        return self.out(torch.cat([mean, peak], dim=1))
