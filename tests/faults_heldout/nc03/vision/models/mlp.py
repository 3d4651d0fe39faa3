import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, width=64, dropout=0.1, classes=10):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(64, width), nn.ReLU(),
                                 nn.Dropout(dropout), nn.Linear(width, classes))

    def forward(self, x):
        return self.net(x)
