from torch import nn


class Residual(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.inner = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))

    def forward(self, x):
        return x + self.inner(x)


class WearNet(nn.Module):
    def __init__(self, n_sensors, dim=48, depth=2):
        super().__init__()
        self.stem = nn.Linear(n_sensors, dim)
        self.stack = nn.Sequential(*[Residual(dim) for _ in range(depth)])
        self.out = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 1))

    def forward(self, x):
        return self.out(self.stack(self.stem(x))).squeeze(-1)
