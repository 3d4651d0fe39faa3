import torch
from torch import nn

from graph import gather_neighbours


class GraphLayer(nn.Module):
    def __init__(self, inputs, outputs, aggregation):
        super().__init__()
        self.own = nn.Linear(inputs, outputs)
        self.around = nn.Linear(inputs, outputs, bias=False)
        self.aggregation = aggregation

    def forward(self, h, edges):
        return torch.tanh(self.own(h) + self.around(gather_neighbours(h, edges, self.aggregation)))


class NoiseMap(nn.Module):
    """Street noise level from street attributes and those of the streets around."""

    def __init__(self, inputs, hidden, layers, aggregation):
        super().__init__()
        sizes = [inputs] + [hidden] * layers
        self.layers = nn.ModuleList(GraphLayer(a, b, aggregation) for a, b in zip(sizes, sizes[1:]))
        self.head = nn.Linear(hidden, 1)

    def forward(self, x, edges):
        for layer in self.layers:
            x = layer(x, edges)
        return self.head(x).squeeze(-1)
