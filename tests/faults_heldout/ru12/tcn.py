import torch.nn.functional as F
from torch import nn


class CausalBlock(nn.Module):
    def __init__(self, c_in, c_out, kernel, dilation, dropout):
        super().__init__()
        self.left = (kernel - 1) * dilation
        self.conv = nn.Conv1d(c_in, c_out, kernel, dilation=dilation)
        self.drop = nn.Dropout(dropout)
        self.match = nn.Conv1d(c_in, c_out, 1) if c_in != c_out else nn.Identity()

    def forward(self, x):
        y = F.relu(self.conv(F.pad(x, (self.left, 0))))
        return self.match(x) + self.drop(y)


class TCN(nn.Module):
    def __init__(self, n_in, horizon, channels, levels, kernel, dropout):
        super().__init__()
        sizes = [n_in] + [channels] * levels
        self.blocks = nn.Sequential(*[
            CausalBlock(sizes[i], sizes[i + 1], kernel, 2 ** i, dropout) for i in range(levels)
        ])
        self.head = nn.Linear(channels, horizon)

    def forward(self, x):
        h = self.blocks(x.transpose(1, 2))
        return self.head(h[:, :, -1])
