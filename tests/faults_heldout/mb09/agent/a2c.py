import torch
from torch import nn

SCALE = torch.tensor([2.4, 2.0, 0.21, 2.0])


class ActorCritic(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.v = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        nn.init.orthogonal_(self.pi[-1].weight, gain=0.01)

    def forward(self, s):
        s = s / SCALE
        return torch.distributions.Categorical(logits=self.pi(s)), self.v(s).squeeze(-1)


def advantages(rewards, values, next_values, ended, cut, gamma, lam):
    """GAE; a fall ends the value, a time-out only cuts the trace."""
    adv = torch.zeros_like(rewards)
    run = torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + gamma * next_values[t] * (~ended[t]) - values[t]
        run = delta + gamma * lam * run * (~cut[t])
        adv[t] = run
    return adv
