from torch import nn


class PointEncoder(nn.Module):
    def __init__(self, width=32, out=24):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                                   nn.Linear(width, 2 * width), nn.ReLU())
        self.pooled = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, out), nn.ReLU())

    def forward(self, clouds):
        return self.pooled(self.local(clouds).amax(dim=1))


class PointNet(nn.Module):
    def __init__(self, n_out, out=24):
        super().__init__()
        self.encoder = PointEncoder(out=out)
        self.head = nn.Linear(out, n_out)

    def forward(self, clouds):
        return self.head(self.encoder(clouds))
