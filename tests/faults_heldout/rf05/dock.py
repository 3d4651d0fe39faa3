"""Vectorised docking task: steer a cart with drag to a moving berth."""
import torch


class DockEnv:
    n_obs = 6
    n_act = 3

    def __init__(self, n, horizon=24, seed=0):
        self.n, self.horizon = n, horizon
        self.g = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        u = torch.rand(self.n, 4, generator=self.g) * 2 - 1
        self.pos, self.vel = u[:, 0].clone(), 0.1 * u[:, 1]
        self.berth, self.drift = u[:, 2].clone(), 0.02 * u[:, 3]
        self.t = 0
        return self.observe()

    def observe(self):
        left = torch.full_like(self.pos, 1 - self.t / self.horizon)
        gap = self.berth - self.pos
        return torch.stack([self.pos, 5 * self.vel, self.berth, 20 * self.drift, gap, left], -1)

    def step(self, action):
        self.vel = 0.92 * self.vel + 0.03 * (action.float() - 1)
        self.pos = self.pos + self.vel
        self.berth = self.berth + self.drift
        self.t += 1
        gap = (self.berth - self.pos).abs()
        reward = -gap - 0.05 * (action != 1).float()
        return self.observe(), reward, self.t >= self.horizon
