import torch
from torch import nn
from torch.distributions import Categorical


def ortho(layer, gain):
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class ActorCritic(nn.Module):
    def __init__(self, obs, acts, hidden=64):
        super().__init__()
        g = 2 ** 0.5
        self.pi = nn.Sequential(ortho(nn.Linear(obs, hidden), g), nn.Tanh(),
                                ortho(nn.Linear(hidden, hidden), g), nn.Tanh(),
                                ortho(nn.Linear(hidden, acts), 0.01))
        self.v = nn.Sequential(ortho(nn.Linear(obs, hidden), g), nn.Tanh(),
                               ortho(nn.Linear(hidden, hidden), g), nn.Tanh(),
                               ortho(nn.Linear(hidden, 1), 1.0))

    def dist(self, x):
        return Categorical(logits=self.pi(x))

    def value(self, x):
        return self.v(x).squeeze(-1)
