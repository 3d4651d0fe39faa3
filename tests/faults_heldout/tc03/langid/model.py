from torch import nn


class SoftmaxRegression(nn.Module):
    """One weight vector per language: small, fast, and its weights can be read."""

    def __init__(self, dim, classes):
        super().__init__()
        self.out = nn.Linear(dim, classes)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x):
        return self.out(x)
