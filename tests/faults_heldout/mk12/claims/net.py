from torch import nn


class ClaimNet(nn.Module):
    def __init__(self, n_in=8, width=16, p=0.2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Dropout(p), nn.Linear(width, width), nn.ReLU(), nn.Dropout(p))
        self.score = nn.Linear(width, 1)

    def forward(self, x):
        return self.score(self.body(x)).squeeze(1)
