import torch
from torch import nn
import torch.nn.functional as F


class CausalBlock(nn.Module):
    def __init__(self, cin, cout, kernel, dilation):
        super().__init__()
        self.left = (kernel - 1) * dilation
        self.conv1 = nn.Conv1d(cin, cout, kernel, dilation=dilation)
        self.conv2 = nn.Conv1d(cout, cout, kernel, dilation=dilation)
        self.skip = nn.Conv1d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x):
        h = F.relu(self.conv1(F.pad(x, (self.left, 0))))
        h = self.conv2(F.pad(h, (self.left, 0)))
        return F.relu(h + self.skip(x))


class LoadTCN(nn.Module):
    def __init__(self, n_features, n_known, horizon, channels, kernel, levels):
        super().__init__()
        blocks, cin = [], n_features
        for level in range(levels):
            blocks.append(CausalBlock(cin, channels, kernel, 2**level))
            cin = channels
        self.tcn = nn.Sequential(*blocks)
        self.head = nn.Sequential(nn.Linear(channels + n_known, 64), nn.ReLU(), nn.Linear(64, horizon))

    def forward(self, past, known):
        h = self.tcn(past)[:, :, -1]
        return self.head(torch.cat([h, known], dim=1))
