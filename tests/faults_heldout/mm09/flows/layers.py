import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        mask = torch.arange(dim) % 2 == int(flip)
        self.register_buffer("mask", mask.float())
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _st(self, x):
        s, t = self.net(x * self.mask).chunk(2, -1)
        free = 1 - self.mask
        return 1.5 * torch.tanh(s / 1.5) * free, t * free

    def forward(self, x):
        s, t = self._st(x)
        return x * s.exp() + t, s.sum(-1)

    def inverse(self, z):
        s, t = self._st(z)
        return (z - t) * (-s).exp()


class ActNorm(nn.Module):
    """Per-feature affine map, initialised from the first batch it sees."""

    def __init__(self, dim):
        super().__init__()
        self.log_s = nn.Parameter(torch.zeros(dim))
        self.b = nn.Parameter(torch.zeros(dim))
        self.register_buffer("ready", torch.tensor(False))

    def forward(self, x):
        if not self.ready:
            with torch.no_grad():
                self.log_s.copy_(-x.std(0).clamp_min(1e-3).log())
                self.b.copy_(-x.mean(0) * self.log_s.exp())
                self.ready.fill_(True)
        return x * self.log_s.exp() + self.b, self.log_s.sum().expand(len(x))

    def inverse(self, z):
        return (z - self.b) * (-self.log_s).exp()


class Flow(nn.Module):
    def __init__(self, dim, blocks, hidden):
        super().__init__()
        self.dim = dim
        self.steps = nn.ModuleList()
        for k in range(blocks):
            self.steps += [ActNorm(dim), Coupling(dim, hidden, flip=k % 2)]

    def log_prob(self, x):
        ld = torch.zeros(len(x))
        for s in self.steps:
            x, d = s(x)
            ld = ld + d
        base = -0.5 * (x ** 2).sum(-1) - 0.5 * self.dim * torch.log(torch.tensor(2 * torch.pi))
        return base + ld

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, self.dim)
        for s in reversed(self.steps):
            z = s.inverse(z)
        return z
