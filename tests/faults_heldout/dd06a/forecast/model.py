import torch.nn as nn
import torch.nn.functional as F


class CausalBlock(nn.Module):
    def __init__(self, cin, cout, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(cin, cout, 3, dilation=dilation)
        self.norm = nn.GroupNorm(4, cout)
        self.res = nn.Conv1d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x):
        y = self.conv(F.pad(x, (self.pad, 0)))
        return F.relu(self.norm(y)) + self.res(x)


class LoadTCN(nn.Module):
    def __init__(self, features, channels):
        super().__init__()
        sizes = [features, *channels]
        self.blocks = nn.Sequential(*[CausalBlock(a, b, 2 ** i) for i, (a, b) in enumerate(zip(sizes, sizes[1:]))])
        self.readout = nn.Linear(channels[-1], 1)

    def forward(self, x):
        return self.readout(self.blocks(x)[:, :, -1]).squeeze(-1)
