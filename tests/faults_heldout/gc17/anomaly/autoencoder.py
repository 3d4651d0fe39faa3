from torch import nn


class AutoEncoder(nn.Module):
    def __init__(self, n, hidden, code):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n, hidden), nn.ELU(), nn.Linear(hidden, code))
        self.decoder = nn.Sequential(nn.Linear(code, hidden), nn.ELU(), nn.Linear(hidden, n))

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def score(self, x):
        return (self(x) - x).square().mean(1)
