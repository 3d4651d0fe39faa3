from torch import nn


class DeepMLP(nn.Module):
    def __init__(self, n_in, n_out, width=64, depth=3):
        super().__init__()
        sizes = [n_in] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.out = nn.Linear(width, n_out)

    def forward(self, x):
        for layer in self.hidden:
            x = layer(x).tanh()
        return self.out(x)
