import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, mask, hidden=48):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, -1)
        s = 1.5 * torch.tanh(s / 1.5) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * s.exp() + t, s.sum(-1)


class Flow(nn.Module):
    """log-density in the original units (metres)"""

    def __init__(self, loc, scale, depth=6):
        super().__init__()
        d = len(loc)
        self.register_buffer("loc", loc)
        self.register_buffer("scale", scale)
        masks = [torch.arange(d) == (k % d) for k in range(depth)]
        self.layers = nn.ModuleList(Coupling(d, (m if k % 2 else ~m).float()) for k, m in enumerate(masks))
        self.base = torch.distributions.Normal(0.0, 1.0)

    def log_prob(self, x):
        z = (x - self.loc) / self.scale
        ld = -self.scale.log().sum()
        for layer in self.layers:
            z, l = layer(z)
            ld = ld + l
        return self.base.log_prob(z).sum(-1) + ld
