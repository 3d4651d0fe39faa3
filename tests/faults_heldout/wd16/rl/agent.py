import torch
from torch import nn


def mlp(n_in, hidden, n_out, gain):
    net = nn.Sequential(nn.Linear(n_in, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, n_out))
    for layer in net:
        if isinstance(layer, nn.Linear):
            nn.init.orthogonal_(layer.weight, 2 ** 0.5)
            nn.init.zeros_(layer.bias)
    nn.init.orthogonal_(net[-1].weight, gain)
    return net


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, hidden):
        super().__init__()
        self.actor = mlp(n_obs, hidden, n_act, 0.01)
        self.critic = mlp(n_obs, hidden, 1, 1.0)
        self.register_buffer("obs_scale", torch.tensor([1.0, 1.0, 6.0, 1.0]))

    def policy(self, obs):
        return torch.distributions.Categorical(logits=self.actor(obs * self.obs_scale))

    def value(self, obs):
        return self.critic(obs * self.obs_scale).squeeze(-1) * 10.0


def gae(rewards, values, next_values, failed, ended, gamma, lam):
    """All (T, N). `next_values` are values of the true successor state; a time-out still bootstraps."""
    adv = torch.zeros_like(rewards)
    run = torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + gamma * next_values[t] * (1 - failed[t]) - values[t]
        run = delta + gamma * lam * (1 - ended[t]) * run
        adv[t] = run
    return adv, adv + values
