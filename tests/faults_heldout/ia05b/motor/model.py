import torch
from torch import nn


class MotorNet(nn.Module):
    def __init__(self, n_states=3, ch=32):
        super().__init__()
        self.c1 = nn.Conv1d(1, ch, 9, padding=4)
        self.c2 = nn.Conv1d(ch, ch, 5, stride=2, padding=2)
        self.c3 = nn.Conv1d(ch, 2 * ch, 5, stride=2, padding=2)
        self.norms = nn.ModuleList([nn.BatchNorm1d(ch), nn.BatchNorm1d(ch), nn.BatchNorm1d(2 * ch)])
        self.head = nn.Sequential(nn.Dropout(0.4), nn.Linear(4 * ch, n_states))

    def forward(self, x):
        for conv, norm in zip((self.c1, self.c2, self.c3), self.norms):
            x = torch.relu(norm(conv(x)))
        return self.head(torch.cat([x.mean(-1), x.amax(-1)], 1))
