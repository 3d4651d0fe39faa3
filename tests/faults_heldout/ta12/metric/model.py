import torch.nn as nn
import torch.nn.functional as F


class Embedder(nn.Module):
    def __init__(self, in_dim=13, hidden=48, out_dim=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(in_dim, hidden), nn.ReLU(), nn.Linear(hidden, out_dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)
