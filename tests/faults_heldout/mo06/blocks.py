from torch import nn


def conv_unit(cin, cout, norm=True):
    layers = [nn.Conv2d(cin, cout, 3, padding=1, padding_mode="reflect", bias=not norm)]
    if norm:
        layers.append(nn.BatchNorm2d(cout))
    layers.append(nn.ReLU(inplace=True))
    return nn.Sequential(*layers)


class ResidualDenoiser(nn.Module):
    """Estimates the noise field of an elevation tile; subtract it to get the clean tile."""

    def __init__(self, width=12, depth=2):
        super().__init__()
        self.net = nn.Sequential(
            conv_unit(1, width, norm=False),
            *[conv_unit(width, width) for _ in range(depth)],
            conv_unit(width, 1, norm=False),
        )

    def forward(self, noisy):
        return self.net(noisy)
