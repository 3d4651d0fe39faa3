import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, h, adj, mask):
        return h + self.norm(self.mlp(h + adj @ h)) * mask


class Encoder(nn.Module):
    def __init__(self, kinds, width, depth):
        super().__init__()
        self.emb = nn.Embedding(kinds + 1, width, padding_idx=0)
        self.layers = nn.ModuleList(Layer(width) for _ in range(depth))
        self.out = nn.Linear(width, width)

    def forward(self, nodes, adj):
        mask = nodes.ne(0).unsqueeze(-1).float()
        h = self.emb(nodes)
        for layer in self.layers:
            h = layer(h, adj, mask)
        return (torch.relu(self.out(h)) * mask).sum(1) / 10.0


class Property(nn.Module):
    def __init__(self, encoder, width):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, b):
        return self.head(self.encoder(b.nodes, b.adj)).squeeze(-1)
