import torch
import torch.nn as nn
import torch.nn.functional as F


def pairwise_distances(emb):
    sq = emb.pow(2).sum(1)
    d2 = sq[:, None] - 2.0 * emb @ emb.t() + sq[None, :]
    return torch.sqrt(d2.clamp(min=0.0))


class BatchHardTriplet(nn.Module):
    def __init__(self, margin=0.3):
        super().__init__()
        self.margin = margin

    def forward(self, emb, labels):
        dist = pairwise_distances(emb)
        same = labels[:, None] == labels[None, :]
        hardest_pos = (dist * same).max(1).values
        hardest_neg = dist.masked_fill(same, float("inf")).min(1).values
        return F.relu(hardest_pos - hardest_neg + self.margin).mean()
