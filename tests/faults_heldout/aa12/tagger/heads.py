from torch import nn


class Head(nn.Module):
    """Output layer shared by all models; sub-classes say what the scores mean."""

    link = nn.Sigmoid

    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out)
        self.out = self.link()

    def forward(self, h):
        return self.out(self.linear(h))


class SingleLabelHead(Head):
    link = nn.Identity


class MultiLabelHead(Head):
    def __init__(self, n_in, n_out, hidden=64, dropout=0.1):
        super().__init__(hidden, n_out)
        self.pre = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Dropout(dropout))

    def forward(self, h):
        return super().forward(self.pre(h))
