import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, n_obs=3, n_act=5, width=48):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, n_act))
        self.v = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def dist(self, obs):
        return torch.distributions.Categorical(logits=self.pi(obs))

    def value(self, obs):
        return self.v(obs).squeeze(-1)


def rollout(env, agent, n, gen, greedy=False):
    obs, done, trace = env.reset(n, gen), False, []
    while not done:
        with torch.no_grad():
            probs = agent.dist(obs).probs
        act = probs.argmax(1) if greedy else torch.multinomial(probs, 1, generator=gen).squeeze(1)
        nxt, reward, done = env.step(act)
        trace.append((obs, act, reward))
        obs = nxt
    o, a, r = (torch.stack(t) for t in zip(*trace))
    return o, a, r


def discounted(reward, gamma):
    out = torch.zeros_like(reward)
    acc = torch.zeros_like(reward[0])
    for t in reversed(range(len(reward))):
        acc = reward[t] + gamma * acc
        out[t] = acc
    return out
