import torch
from torch import nn

SCALE = torch.tensor([1.0, 1.0, 0.1, 1.0])


class ActorCritic(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(4, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
        )
        self.policy = nn.Linear(hidden, 2)
        self.value = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.trunk(obs / SCALE)
        return torch.distributions.Categorical(logits=self.policy(h)), self.value(h).squeeze(-1)
