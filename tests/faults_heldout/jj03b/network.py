import torch.nn as nn


class TanhNet(nn.Module):
    def __init__(self, hidden=32, layers=3):
        super().__init__()
        blocks = [nn.Linear(1, hidden), nn.Tanh()]
        for _ in range(layers - 1):
            blocks += [nn.Linear(hidden, hidden), nn.Tanh()]
        blocks.append(nn.Linear(hidden, 1))
        self.net = nn.Sequential(*blocks)

    def forward(self, t):
        return self.net(t)
