from torch import nn


class CallNet(nn.Module):
    def __init__(self, code=6, classes=5):
        super().__init__()
        self.encode = nn.Sequential(nn.Flatten(), nn.Linear(320, 96), nn.ReLU(), nn.Linear(96, code))
        self.decode = nn.Sequential(nn.Linear(code, 96), nn.ReLU(), nn.Linear(96, 320))
        self.name = nn.Sequential(nn.Linear(code, 32), nn.ReLU(), nn.Linear(32, classes))

    def forward(self, x):
        z = self.encode(x)
        return self.name(z), self.decode(z).view_as(x)
