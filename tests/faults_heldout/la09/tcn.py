import torch.nn as nn


class ResidualStage(nn.Module):
    def __init__(self, channels, dilation, kernel=3):
        super().__init__()
        self.conv = nn.Conv1d(channels, 2 * channels, kernel, dilation=dilation, padding="same")
        self.skip = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        gated = nn.functional.glu(self.conv(x), dim=1)
        return x + self.skip(gated)


class TCN(nn.Module):
    """Reads the levels up to now and gives the next one at every position."""

    def __init__(self, channels=16, dilations=(1, 2, 4, 8, 16)):
        super().__init__()
        self.inp = nn.Conv1d(1, channels, 1)
        self.stages = nn.Sequential(*[ResidualStage(channels, d) for d in dilations])
        self.out = nn.Sequential(nn.ReLU(), nn.Conv1d(channels, 1, 1))

    def forward(self, x):
        return self.out(self.stages(self.inp(x[:, None]))).squeeze(1)
