from torch import nn


class Encoder(nn.Module):
    def __init__(self, code=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, code), nn.LayerNorm(code))

    def forward(self, x):
        return self.net(x)


class Decoder(nn.Module):
    def __init__(self, code=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(code, 96), nn.ReLU(), nn.Linear(96, 64))

    def forward(self, z):
        return self.net(z)
