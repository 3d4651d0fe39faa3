import torch
from torch import nn


class Reservoir(nn.Module):
    """Random leaky recurrent layer. The weights are drawn once and stay as they are."""

    def __init__(self, inputs, units, radius, leak, density, input_scale, seed):
        super().__init__()
        g = torch.Generator().manual_seed(seed)
        w = torch.randn(units, units, generator=g) * (torch.rand(units, units, generator=g) < density)
        w *= radius / torch.linalg.eigvals(w).abs().max()
        self.recurrent = nn.Parameter(w, requires_grad=False)
        self.incoming = nn.Parameter(input_scale * (2 * torch.rand(units, inputs, generator=g) - 1), requires_grad=False)
        self.bias = nn.Parameter(0.2 * torch.randn(units, generator=g), requires_grad=False)
        self.leak = leak

    @torch.no_grad()
    def forward(self, u):
        """u: [time, inputs] -> states [time, units]"""
        h = torch.zeros(self.recurrent.shape[0])
        states = []
        for x in u:
            new = torch.tanh(self.recurrent @ h + self.incoming @ x + self.bias)
            h = (1 - self.leak) * h + self.leak * new
            states.append(h)
        return torch.stack(states)


class EchoStateNetwork(nn.Module):
    def __init__(self, reservoir, inputs, outputs):
        super().__init__()
        self.reservoir = reservoir
        self.readout = nn.Linear(reservoir.recurrent.shape[0] + inputs, outputs)
        nn.init.zeros_(self.readout.weight)
        nn.init.zeros_(self.readout.bias)

    def features(self, u):
        return torch.cat([self.reservoir(u), u], 1)

    def forward(self, u):
        return self.readout(self.features(u))
