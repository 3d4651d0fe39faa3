import torch


class CartPoleBatch:
    """Vectorised pole balancing; episodes end on a fall or after `limit` steps and restart by themselves."""

    def __init__(self, n, limit=200, seed=0):
        self.n, self.limit = n, limit
        self.rng = torch.Generator().manual_seed(seed)
        self.state = self.fresh(n)
        self.age = torch.zeros(n)

    def fresh(self, k):
        return torch.rand(k, 4, generator=self.rng) * 0.1 - 0.05

    def step(self, action):
        x, v, th, w = self.state.unbind(1)
        force = action.float() * 20.0 - 10.0
        sin, cos = th.sin(), th.cos()
        tmp = (force + 0.05 * w * w * sin) / 1.1
        acc_th = (9.8 * sin - cos * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / 1.1))
        acc_x = tmp - 0.05 * acc_th * cos / 1.1
        self.state = torch.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * w, w + 0.02 * acc_th], dim=1)
        self.age += 1
        fell = (self.state[:, 0].abs() > 2.4) | (self.state[:, 2].abs() > 0.2095)
        over = fell | (self.age >= self.limit)
        lengths = self.age[over].tolist()
        final = self.state
        if over.any():
            self.state = torch.where(over.unsqueeze(1), self.fresh(self.n), self.state)
            self.age = torch.where(over, torch.zeros(self.n), self.age)
        return final, fell, over, lengths
