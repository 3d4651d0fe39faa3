import torch


class Warehouse:
    """A batch of independent shops; orders arrive the next morning, unmet demand is lost."""

    CAP, PRICE, COST, HOLD, FIXED, DAYS = 20, 4.0, 2.0, 0.15, 3.0, 30

    def __init__(self, n, gen):
        self.n, self.gen = n, gen

    def reset(self):
        self.stock = torch.randint(0, 11, (self.n,), generator=self.gen).float()
        self.day = 0
        return self.observe()

    def season(self):
        return 1.0 if self.day % 7 < 5 else 2.0

    def observe(self):
        week = torch.zeros(self.n, 7)
        week[:, self.day % 7] = 1
        left = torch.full((self.n, 1), 1 - self.day / self.DAYS)
        return torch.cat([(self.stock / 10 - 1)[:, None], (self.stock / 10 - 1)[:, None] ** 2, left, week], 1)

    def step(self, order):
        order = torch.minimum(order.float(), self.CAP - self.stock)
        have = self.stock + order
        demand = torch.poisson(torch.full((self.n,), 3.0 * self.season()), generator=self.gen)
        burst = torch.rand(self.n, generator=self.gen) < 0.1
        demand = torch.where(burst, demand * 3, demand)
        sold = torch.minimum(have, demand)
        self.stock = have - sold
        reward = self.PRICE * sold - self.COST * order - self.FIXED * (order > 0) - self.HOLD * self.stock
        self.day += 1
        return self.observe(), reward, self.day == self.DAYS
