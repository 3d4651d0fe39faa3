import torch
from torch import nn


class JointNet(nn.Module):
    def __init__(self, n_joints=3, width=12):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, padding=1), nn.ReLU(),
        )
        self.regressor = nn.Sequential(
            nn.Flatten(), nn.Linear(2 * width * 36, 64), nn.ReLU(), nn.Linear(64, 2 * n_joints)
        )
        self.n_joints = n_joints

    def forward(self, x):
        return self.regressor(self.features((x - 0.15) / 0.25)).view(-1, self.n_joints, 2)
