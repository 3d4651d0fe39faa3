import torch
from torch import nn
from torch.distributions import Categorical


def mlp(n_out, gain):
    layers = [nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, n_out)]
    for layer, g in zip(layers[::2], (2 ** 0.5, 2 ** 0.5, gain)):
        nn.init.orthogonal_(layer.weight, g)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.policy = mlp(2, 0.01)
        self.value = mlp(1, 1.0)
        self.register_buffer("scale", torch.tensor([1.0, 1.0, 10.0, 1.0]))

    def dist(self, obs):
        return Categorical(logits=self.policy(obs * self.scale))

    def v(self, obs):
        return self.value(obs * self.scale).squeeze(-1)


def gae(rewards, values, next_values, ended, failed, gamma, lam):
    """next_values are those of the true successor state; a time-limit cut bootstraps, a failure does not."""
    adv = torch.zeros_like(rewards)
    run = torch.zeros(rewards.size(1))
    for t in reversed(range(rewards.size(0))):
        delta = rewards[t] + gamma * next_values[t] * (1 - failed[t]) - values[t]
        run = delta + gamma * lam * (1 - ended[t]) * run
        adv[t] = run
    return adv, adv + values
