import torch


class Shop:
    """A batch of independent shops with perishable stock; one order per day."""

    ORDERS = torch.tensor([0.0, 4.0, 8.0, 12.0, 16.0])

    def __init__(self, days, price, cost, holding, lost):
        self.days, self.price, self.cost, self.holding, self.lost = days, price, cost, holding, lost

    def reset(self, n, gen):
        self.gen, self.day = gen, 0
        self.stock = torch.full((n,), 6.0)
        self.phase = torch.randint(0, 7, (n,), generator=gen)
        return self.observe()

    def observe(self):
        wd = 2 * torch.pi * (self.day + self.phase) / 7
        return torch.stack([self.stock / 10 - 1, wd.sin(), wd.cos()], 1)

    def step(self, action):
        order = self.ORDERS[action]
        weekday = (self.day + self.phase) % 7
        rate = torch.where(weekday >= 5, 13.0, 6.0)
        demand = torch.poisson(rate, generator=self.gen)
        have = self.stock + order
        sold = torch.minimum(have, demand)
        reward = self.price * sold - self.cost * order - self.holding * (have - sold) - self.lost * (demand - sold)
        self.stock = (have - sold).clamp(max=30.0)
        self.day += 1
        return self.observe(), reward, self.day >= self.days
