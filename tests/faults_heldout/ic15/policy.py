import torch
from torch import nn


class Actor(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden=64):
        super().__init__()
        self.l1 = nn.Linear(obs_dim, hidden)
        self.l2 = nn.Linear(hidden, hidden)
        self.mu = nn.Linear(hidden, act_dim)

    def forward(self, obs):
        h = torch.relu(self.l1(obs))
        h = torch.relu(self.l2(h))
        return torch.tanh(self.mu(h))
