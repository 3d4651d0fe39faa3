import torch.nn as nn


class Trunk(nn.Module):
    def __init__(self, n_in=12, width=64):
        super().__init__()
        self.fc1 = nn.Linear(n_in, width)
        self.fc2 = nn.Linear(width, width)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.fc2(self.act(self.fc1(x))))


class CountModel(nn.Module):
    """Log-rate of visits per hour."""

    def __init__(self, trunk, width=64):
        super().__init__()
        self.trunk = trunk
        self.log_rate = nn.Linear(width, 1)

    def forward(self, x):
        return self.log_rate(self.trunk(x)).squeeze(-1)
