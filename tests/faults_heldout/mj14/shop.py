import torch


class Shop:
    """Batch of one-product shops. State: stock on hand; action: units ordered each morning."""

    capacity, max_order, horizon = 20, 8, 25

    def __init__(self, n, generator):
        self.n, self.g = n, generator

    def reset(self):
        self.stock = torch.randint(0, 6, (self.n,), generator=self.g)
        self.t = 0
        return self.observe()

    def observe(self):
        left = torch.full((self.n,), (self.horizon - self.t) / self.horizon)
        return torch.stack([self.stock / 10 - 0.5, 2 * left - 1], 1)

    def step(self, order):
        stock = (self.stock + order).clamp(max=self.capacity)
        demand = torch.poisson(torch.full((self.n,), 3.5), generator=self.g).long()
        sold = torch.minimum(stock, demand)
        reward = 4.0 * sold - 1.5 * order - 0.4 * (stock - sold) - 1.0 * (demand - sold)
        self.stock = stock - sold
        self.t += 1
        return self.observe(), reward, self.t == self.horizon
