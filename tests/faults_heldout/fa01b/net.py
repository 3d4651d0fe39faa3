import torch
from torch import nn


class ActivityGRU(nn.Module):
    def __init__(self, channels, hidden, layers, classes):
        super().__init__()
        self.gru = nn.GRU(channels, hidden, num_layers=layers, batch_first=True)
        self.norm = nn.LayerNorm(2 * hidden)
        self.out = nn.Linear(2 * hidden, classes)

    def forward(self, x):
        states, _ = self.gru(x)
        pooled = torch.cat([states.mean(dim=1), states.amax(dim=1)], dim=-1)
        return self.out(self.norm(pooled))
