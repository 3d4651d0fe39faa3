import torch.nn as nn


def make_norm(kind, channels):
    if kind == "batch":
        return nn.BatchNorm2d(channels)
    if kind == "group":
        return nn.GroupNorm(4, channels)
    raise ValueError(f"unknown norm {kind!r}")


class SqueezeGate(nn.Module):
    """Channel attention on the pooled features."""

    def __init__(self, channels, norm, ratio=2):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.net = nn.Sequential(
            nn.Conv2d(channels, channels // ratio, 1, bias=False),
            make_norm(norm, channels // ratio),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels // ratio, channels, 1),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return x * self.net(self.pool(x))


def stage(c_in, c_out, norm):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        make_norm(norm, c_out),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(2),
    )


class PatchGrader(nn.Module):
    def __init__(self, widths, n_grades, norm):
        super().__init__()
        w0, w1, w2 = widths
        self.trunk = nn.Sequential(stage(1, w0, norm), stage(w0, w1, norm), stage(w1, w2, norm))
        self.gate = SqueezeGate(w2, norm)
        self.neck = nn.Sequential(
            nn.AdaptiveAvgPool2d(1),
            nn.Conv2d(w2, w2, 1, bias=False),
            make_norm(norm, w2),
            nn.ReLU(inplace=True),
        )
        self.classifier = nn.Linear(w2, n_grades)

    def forward(self, x):
        x = self.gate(self.trunk(x))
        return self.classifier(self.neck(x).flatten(1))
