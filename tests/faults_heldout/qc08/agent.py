import torch
from torch import nn


class RecurrentPolicy(nn.Module):
    def __init__(self, n_obs=4, n_actions=4, hidden=48):
        super().__init__()
        self.inp = nn.Linear(n_obs, 32)
        self.cell = nn.GRUCell(32, hidden)
        self.pi = nn.Sequential(nn.Linear(hidden, 48), nn.Tanh(), nn.Linear(48, n_actions))
        self.hidden = hidden

    def initial(self, n):
        return torch.zeros(n, self.hidden)

    def forward(self, obs, first, h):
        """obs (N, T, D), first (N, T): 1 where a new episode begins."""
        e = torch.relu(self.inp(obs))
        hs = []
        for t in range(obs.shape[1]):
            h = h * first[:, t].unsqueeze(1)
            h = self.cell(e[:, t], h)
            hs.append(h)
        return self.pi(torch.stack(hs, 1)), h
