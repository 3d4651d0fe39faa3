from torch import nn


class MultiTaskNet(nn.Module):
    def __init__(self, width, code):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, code), nn.ReLU())
        self.digit = nn.Linear(code, 10)
        self.parity = nn.Linear(code, 1)
        self.decoder = nn.Sequential(nn.Linear(code, width), nn.ReLU(), nn.Linear(width, 64))

    def forward(self, x):
        h = self.encoder(x)
        return {"digit": self.digit(h), "parity": self.parity(h).squeeze(1), "reconstruction": self.decoder(h)}
