import torch


class Docking:
    """Many point masses that must reach their own goal and stop there."""

    def __init__(self, n, horizon, dt=0.2):
        self.n, self.horizon, self.dt = n, horizon, dt
        self.obs_dim, self.act_dim = 4, 2

    def reset(self):
        self.offset = torch.empty(self.n, 2).uniform_(-1.5, 1.5)
        self.vel = torch.zeros(self.n, 2)
        return self.observe()

    def observe(self):
        return torch.cat([self.offset, self.vel], dim=-1)

    def step(self, action):
        force = action.clamp(-1, 1)
        self.vel = 0.9 * self.vel + 1.5 * self.dt * force
        self.offset = self.offset + self.dt * self.vel
        cost = self.offset.norm(dim=-1) + 0.1 * self.vel.norm(dim=-1) + 0.02 * force.pow(2).sum(-1)
        return self.observe(), -cost / self.horizon * 10
