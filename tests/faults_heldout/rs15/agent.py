import torch
from torch import nn


def tower(out, gain):
    net = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, out))
    for m in net:
        if isinstance(m, nn.Linear):
            nn.init.orthogonal_(m.weight, 2 ** 0.5)
            nn.init.zeros_(m.bias)
    nn.init.orthogonal_(net[-1].weight, gain)
    return net


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = tower(2, 0.01)
        self.critic = tower(1, 1.0)

    def dist(self, obs):
        return torch.distributions.Categorical(logits=self.actor(obs))

    def value(self, obs):
        return self.critic(obs).squeeze(-1)
