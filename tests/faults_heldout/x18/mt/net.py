from torch import nn


class SharedNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
                                   nn.MaxPool2d(2), nn.Flatten(), nn.Linear(width * 16, 64), nn.ReLU())
        self.heads = nn.ModuleDict({"digit": nn.Linear(64, 10), "ink": nn.Linear(64, 1), "left": nn.Linear(64, 1)})

    def forward(self, x):
        h = self.trunk(x)
        return {"digit": self.heads["digit"](h), "ink": self.heads["ink"](h).squeeze(-1), "left": self.heads["left"](h).squeeze(-1)}
