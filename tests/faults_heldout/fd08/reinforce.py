"""REINFORCE with a learned value baseline on a 5x5 gridworld with one pit."""
import collections

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

SIZE, GOAL, PIT = 5, (4, 4), (2, 2)
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]
GAMMA, MAX_STEPS = 0.97, 40
EPISODES_PER_UPDATE, UPDATES = 16, 150


class GridWorld:
    def __init__(self, rng, slip=0.05):
        self.rng, self.slip = rng, slip

    def reset(self):
        while True:
            self.pos = (int(self.rng.integers(SIZE)), int(self.rng.integers(SIZE)))
            if self.pos not in (GOAL, PIT):
                break
        self.t = 0
        return self.obs()

    def obs(self):
        o = np.zeros(SIZE * SIZE, np.float32)
        o[self.pos[0] * SIZE + self.pos[1]] = 1.0
        return o

    def step(self, action):
        if self.rng.random() < self.slip:
            action = int(self.rng.integers(4))
        dr, dc = MOVES[action]
        self.pos = (min(max(self.pos[0] + dr, 0), SIZE - 1), min(max(self.pos[1] + dc, 0), SIZE - 1))
        self.t += 1
        if self.pos == GOAL:
            return self.obs(), 1.0, True
        if self.pos == PIT:
            return self.obs(), -1.0, True
        return self.obs(), -0.02, self.t >= MAX_STEPS


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, hidden=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh(), nn.Linear(hidden, n_act))
        self.v = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh(), nn.Linear(hidden, 1))


def rollout(env, net):
    obs, acts, rews = [], [], []
    o, done = env.reset(), False
    while not done:
        with torch.no_grad():
            a = Categorical(logits=net.pi(torch.from_numpy(o))).sample().item()
        obs.append(o)
        acts.append(a)
        o, r, done = env.step(a)
        rews.append(r)
    g, returns = 0.0, []
    for r in reversed(rews):
        g = r + GAMMA * g
        returns.append(g)
    return obs, acts, returns[::-1], sum(rews), rews[-1] == 1.0


def greedy_success(env, net, episodes=100):
    wins = steps = 0
    for _ in range(episodes):
        o, done = env.reset(), False
        while not done:
            with torch.no_grad():
                a = net.pi(torch.from_numpy(o)).argmax().item()
            o, r, done = env.step(a)
        wins += r == 1.0
        steps += env.t
    return wins / episodes, steps / episodes


torch.manual_seed(4)
env = GridWorld(np.random.default_rng(4))
test_env = GridWorld(np.random.default_rng(1004))
net = ActorCritic(SIZE * SIZE, len(MOVES))
optimizer = torch.optim.Adam([{"params": net.pi.parameters(), "lr": 5e-3}, {"params": net.v.parameters(), "lr": 1e-2}])
recent = collections.deque(maxlen=200)

for update in range(1, UPDATES + 1):
    obs, acts, rets = [], [], []
    for _ in range(EPISODES_PER_UPDATE):
        o, a, g, total, _ = rollout(env, net)
        obs += o
        acts += a
        rets += g
        recent.append(total)
    obs = torch.from_numpy(np.stack(obs))
    acts = torch.tensor(acts)
    rets = torch.tensor(rets, dtype=torch.float32)

    dist = Categorical(logits=net.pi(obs))
    value = net.v(obs).squeeze(-1)
    adv = rets - value.detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    policy_loss = -(dist.log_prob(acts) * adv).mean()
    value_loss = (value - rets).pow(2).mean()
    loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    if update % 15 == 0:
        rate, length = greedy_success(test_env, net)
        print(f"update {update:4d}  return {np.mean(recent):+.3f}  value loss {value_loss.item():.3f}  "
              f"entropy {dist.entropy().mean().item():.2f}  greedy success {rate:.2f} in {length:.1f} steps")
