import torch.nn as nn


class ResidualConv(nn.Module):
    def __init__(self, dim, kernel, dilation):
        super().__init__()
        self.norm = nn.GroupNorm(4, dim)
        self.conv = nn.Conv1d(dim, dim, kernel, padding=dilation * (kernel // 2), dilation=dilation)
        self.out = nn.Conv1d(dim, dim, 1)
        self.act = nn.GELU()

    def forward(self, x):
        return x + self.out(self.act(self.conv(self.norm(x))))


class Encoder(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.dim = dim
        self.embed = nn.Embedding(5, dim)
        self.stem = nn.Conv1d(dim, dim, 7, padding=3)
        self.layers = nn.ModuleList([ResidualConv(dim, 5, 1), ResidualConv(dim, 5, 2)])

    def forward(self, ids):
        x = self.stem(self.embed(ids).transpose(1, 2))
        for layer in self.layers:
            x = layer(x)
        return x
