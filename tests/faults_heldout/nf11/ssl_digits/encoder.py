from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=16, out=64):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(2 * width), nn.ReLU(),
            nn.Flatten(), nn.Linear(2 * width * 16, out), nn.BatchNorm1d(out), nn.ReLU(),
        )
        self.out_dim = out

    def forward(self, x):
        return self.body(x)


class Projector(nn.Sequential):
    def __init__(self, d, out=32):
        super().__init__(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, out))
