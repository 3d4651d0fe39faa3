from torch import nn


class Potency(nn.Module):
    def __init__(self, n_in, widths, p):
        super().__init__()
        blocks = []
        for w in widths:
            blocks += [nn.Linear(n_in, w), nn.SiLU(), nn.Dropout(p)]
            n_in = w
        self.body = nn.Sequential(*blocks)
        self.out = nn.Linear(n_in, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)
