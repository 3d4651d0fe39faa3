import torch


class Store:
    """A shelf of one perishable product in many parallel shops; one action = crates ordered tonight."""

    MAX_ORDER = 6

    def __init__(self, shops, gen):
        self.n, self.g = shops, gen
        self.reset()

    def reset(self):
        self.stock = torch.randint(0, 8, (self.n,), generator=self.g).float()
        self.weekday = torch.randint(0, 7, (self.n,), generator=self.g)
        return self.view()

    def rate(self):
        return torch.where(self.weekday >= 5, 4.5, 2.0)

    def view(self):
        ahead = torch.nn.functional.one_hot(self.weekday, 7).float()
        return torch.cat([self.stock[:, None] / 8.0, ahead], dim=1)

    def step(self, crates):
        self.stock = (self.stock + crates.float()).clamp(max=12)
        demand = torch.poisson(self.rate(), generator=self.g)
        sold = torch.minimum(demand, self.stock)
        missed = demand - sold
        self.stock = self.stock - sold
        reward = 2.0 * sold - 0.9 * crates.float() - 0.5 * missed - 0.4 * self.stock
        self.weekday = (self.weekday + 1) % 7
        return self.view(), reward
