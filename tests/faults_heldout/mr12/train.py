"""Ordering policy for a small shop, learned with REINFORCE and a value baseline."""
import math
from collections import deque

import numpy as np
import torch
import torch.nn as nn

SEED = 17
EPISODES = 700
DAYS = 28
MAX_STOCK = 12
MAX_ORDER = 6


class Shop:
    """Each morning up to six crates are ordered, demand follows the week, unsold crates cost storage."""

    weekly = np.array([1.0, 1.0, 1.5, 2.0, 3.5, 5.0, 0.3])

    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.day = int(self.rng.integers(7))
        self.stock = int(self.rng.integers(0, 5))
        self.left = DAYS
        return self.observe()

    def observe(self):
        a = 2 * math.pi * self.day / 7
        weekday = np.eye(7)[self.day]
        return np.concatenate([[self.stock / MAX_STOCK, math.sin(a), math.cos(a)], weekday]).astype(np.float32)

    def step(self, order):
        self.stock = min(self.stock + order, MAX_STOCK)
        demand = int(self.rng.poisson(self.weekly[self.day]))
        sold = min(demand, self.stock)
        self.stock -= sold
        profit = 3.0 * sold - 1.0 * order - 0.5 * self.stock - 1.0 * (demand - sold)
        self.day = (self.day + 1) % 7
        self.left -= 1
        return self.observe(), profit, self.left == 0


class ActorCritic(nn.Module):
    def __init__(self, n_obs=10, n_act=MAX_ORDER + 1, width=64):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, n_act))
        self.critic = nn.Sequential(nn.Linear(n_obs + 1, width), nn.Tanh(), nn.Linear(width, 1))

    def act(self, obs):
        logits = self.actor(obs)
        logp = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
        action = torch.multinomial(logp.exp(), 1).item()
        return action


def play(env, net):
    obs, done = env.reset(), False
    states, actions, rewards = [], [], []
    with torch.no_grad():
        while not done:
            a = net.act(torch.from_numpy(obs))
            states.append(obs)
            actions.append(a)
            obs, r, done = env.step(a)
            rewards.append(r)
    return torch.from_numpy(np.stack(states)), torch.tensor(actions), np.array(rewards)


def discounted(rewards, gamma=0.9):
    out, run = np.zeros(len(rewards), dtype=np.float32), 0.0
    for t in reversed(range(len(rewards))):
        run = rewards[t] + gamma * run
        out[t] = run
    return torch.from_numpy(out)


def main():
    rng = np.random.default_rng(SEED)
    torch.manual_seed(SEED)
    env = Shop(rng)
    net = ActorCritic()
    opt = torch.optim.Adam([
        {"params": net.actor.parameters(), "lr": 4e-3},
        {"params": net.critic.parameters(), "lr": 1e-2},
    ])
    recent = deque(maxlen=50)
    clock = torch.linspace(0, 1, DAYS).unsqueeze(1)
    for episode in range(1, EPISODES + 1):
        states, actions, rewards = play(env, net)
        returns = discounted(rewards) / 10.0
        values = net.critic(torch.cat([states, clock], dim=1)).squeeze(1)
        advantage = returns - values.detach()
        logits = net.actor(states)
        logp = logits - torch.logsumexp(logits, dim=1, keepdim=True)
        chosen = logp.gather(1, actions.unsqueeze(1)).squeeze(1)
        entropy = -(logp.exp() * logp).sum(dim=1).mean()
        policy_loss = -(chosen * advantage).mean()
        value_loss = ((returns - values) ** 2).mean()
        loss = policy_loss + 0.5 * value_loss - 0.01 * entropy
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.append(rewards.sum())
        if episode % 50 == 0:
            print(f"episode {episode:4d}  profit {rewards.sum():7.1f}  mean of last 50 {np.mean(recent):7.2f}  "
                  f"loss {loss.item():7.3f}  entropy {entropy.item():.2f}")


if __name__ == "__main__":
    main()
