import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, n_obs=4, n_act=2, hidden=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh(), nn.Linear(hidden, n_act))
        nn.init.orthogonal_(self.net[2].weight, gain=0.01)
        nn.init.zeros_(self.net[2].bias)

    def forward(self, obs):
        return torch.distributions.Categorical(logits=self.net(obs))


class Critic(nn.Module):
    def __init__(self, n_obs=4, hidden=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, obs):
        return self.net(obs).squeeze(-1)


def discounted(rewards, gamma):
    out = torch.zeros_like(rewards)
    run = torch.zeros_like(rewards[0])
    for t in range(len(rewards) - 1, -1, -1):
        run = rewards[t] + gamma * run
        out[t] = run
    return out
