"""REINFORCE with a value baseline on a vectorised pole-balancing task."""
import math

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

ENVS, HORIZON, GAMMA = 16, 150, 0.98
ITERATIONS = 70


class PoleEnvs:
    def __init__(self, n, seed):
        self.n = n
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, size=(self.n, 4))
        return self.s.astype(np.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        force = np.where(action == 1, 10.0, -10.0)
        cos, sin = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w**2 * sin) / 1.1
        acc_th = (9.8 * sin - cos * tmp) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * cos / 1.1
        self.s = np.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * w, w + 0.02 * acc_th], axis=1)
        done = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 12 * math.pi / 180)
        return self.s.astype(np.float32), done


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(4, 48), nn.Tanh(), nn.Linear(48, 2))
        self.v = nn.Sequential(nn.Linear(4, 48), nn.Tanh(), nn.Linear(48, 1))

    def forward(self, s):
        return Categorical(logits=self.pi(s)), self.v(s).squeeze(-1)


def rollout(envs, agent):
    obs = envs.reset()
    alive = np.ones(envs.n, dtype=bool)
    states, actions, masks = [], [], []
    for _ in range(HORIZON):
        s = torch.from_numpy(obs)
        with torch.no_grad():
            a = Categorical(logits=agent.pi(s)).sample()
        states.append(s)
        actions.append(a)
        masks.append(torch.from_numpy(alive.astype(np.float32)))
        obs, done = envs.step(a.numpy())
        alive = alive & ~done
        if not alive.any():
            break
    return torch.stack(states), torch.stack(actions), torch.stack(masks)


def main():
    torch.manual_seed(0)
    envs = PoleEnvs(ENVS, seed=0)
    agent = Agent()
    optimizer = torch.optim.Adam(
        [{"params": agent.pi.parameters(), "lr": 1e-2}, {"params": agent.v.parameters(), "lr": 1e-2}]
    )
    history = []
    for it in range(ITERATIONS):
        s, a, m = rollout(envs, agent)
        returns = torch.zeros_like(m)
        acc = torch.zeros(ENVS)
        for t in reversed(range(len(m))):
            acc = m[t] * (1.0 + GAMMA * acc)
            returns[t] = acc
        dist, value = agent(s)
        target = returns * (1 - GAMMA)
        adv = (target - value).detach()
        live = m > 0
        adv = (adv - adv[live].mean()) / (adv[live].std() + 1e-6)
        policy_loss = -(dist.log_prob(a) * adv)[live].mean()
        value_loss = ((value - target) ** 2)[live].mean()
        entropy = dist.entropy()[live].mean()
        loss = policy_loss + 0.5 * value_loss - 0.005 * entropy
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
        optimizer.step()
        history.append(m.sum(0).mean().item())
        if (it + 1) % 5 == 0:
            print(
                f"iter {it + 1:3d}  length {history[-1]:6.1f}  avg10 {np.mean(history[-10:]):6.1f}  "
                f"loss {loss.item():+.4f}  entropy {entropy.item():.3f}"
            )


if __name__ == "__main__":
    main()
