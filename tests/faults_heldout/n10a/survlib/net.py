import torch.nn as nn


class WeibullNet(nn.Module):
    def __init__(self, n_features, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_features, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.log_scale = nn.Linear(width, 1)
        self.log_shape = nn.Linear(width, 1)
        nn.init.zeros_(self.log_shape.weight)
        nn.init.zeros_(self.log_shape.bias)

    def forward(self, x):
        h = self.trunk(x)
        return self.log_scale(h).squeeze(1), self.log_shape(h).squeeze(1)
