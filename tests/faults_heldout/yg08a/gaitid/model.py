import torch
import torch.nn as nn
import torch.nn.functional as F


class GaitEncoder(nn.Module):
    def __init__(self, n_in, hidden=96, dim=16):
        super().__init__()
        self.fc1 = nn.Linear(n_in, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, dim)

    def forward(self, x):
        h = F.relu(self.norm(self.fc1(x)))
        return self.fc3(F.relu(self.fc2(h)))


def contrastive_loss(a, b, label, margin):
    """Hadsell et al. 2006; label 1 for matching pairs."""
    diff = a - b
    sq = diff.square().sum(dim=1)
    dist = F.pairwise_distance(a, b, eps=1e-6)
    return 0.5 * torch.where(label > 0.5, sq, F.relu(margin - dist).square()).mean()
