from torch import nn


class Res(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))

    def forward(self, x):
        return x + self.f(x)


class Forecaster(nn.Module):
    def __init__(self, inputs, horizon, width, hidden, depth):
        super().__init__()
        self.stem = nn.Linear(inputs, width)
        self.body = nn.Sequential(*[Res(width, hidden) for _ in range(depth)])
        self.head = nn.Linear(width, horizon)

    def forward(self, x):
        return self.head(self.body(self.stem(x)))
