from torch import nn


class ResidualUnit(nn.Module):
    """Two-layer unit with a shortcut; the shortcut is projected when the width changes."""

    def __init__(self, d_in, d_out, act=nn.ReLU):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d_in, d_out), act(), nn.Linear(d_out, d_out))
        self.act = act()
        self.shortcut = nn.Linear(d_in, d_out, bias=False) if d_in != d_out else None

    def forward(self, x):
        h = self.body(x)
        if self.shortcut is not None:
            h = h + self.shortcut(x)
        return self.act(h)


class DeepRisk(nn.Module):
    def __init__(self, n_features, widths):
        super().__init__()
        dims = [n_features, *widths]
        self.units = nn.Sequential(*[ResidualUnit(a, b) for a, b in zip(dims, dims[1:])])
        self.risk = nn.Linear(dims[-1], 1, bias=False)

    def forward(self, x):
        return self.risk(self.units(x)).squeeze(-1)
