from torch import nn


def stage(c_in, c_out, stride=1):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, stride=stride, padding=1),
        nn.BatchNorm2d(c_out),
        nn.ReLU(),
    )


class Encoder(nn.Module):
    """Small conv encoder for 8x8 crops."""

    out_dim = 24

    def __init__(self):
        super().__init__()
        self.stem = stage(1, 16)
        self.body = nn.Sequential(stage(16, 32, 2), stage(32, 32), stage(32, 48, 2), stage(48, 48))
        self.neck = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(48, self.out_dim))

    def forward(self, x):
        return self.neck(self.body(self.stem(x)))
