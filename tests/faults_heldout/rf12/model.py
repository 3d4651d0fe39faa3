import torch
from torch import nn


class StayModel(nn.Module):
    """Event encoder followed by pooling over the stay."""

    def __init__(self, n_codes, d=48):
        super().__init__()
        self.embed = nn.Embedding(n_codes + 1, d, padding_idx=0)
        self.event = nn.Sequential(nn.Linear(d + 1, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU())
        self.head = nn.Linear(d, 1)

    def forward(self, codes, values):
        h = self.event(torch.cat([self.embed(codes), values.unsqueeze(-1)], dim=-1))
        return self.head(h.mean(dim=1)).squeeze(-1)
