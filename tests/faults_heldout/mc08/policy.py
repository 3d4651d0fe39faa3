import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, n, dim=32, hidden=96):
        super().__init__()
        self.a = nn.Embedding(n, dim)
        self.b = nn.Embedding(n, dim)
        self.net = nn.Sequential(nn.Linear(2 * dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, n))

    def forward(self, prompts):
        h = torch.cat([self.a(prompts[:, 0]), self.b(prompts[:, 1])], -1)
        return torch.log_softmax(self.net(h), -1)
