import torch


class Shop:
    """Vectorised one-product stock problem; an order arrives the next morning."""
    MAX, ORDERS, HORIZON = 30, (0, 3, 6, 9, 12, 15), 28
    DEMAND = torch.tensor([4.0, 4.0, 5.0, 6.0, 9.0, 11.0, 3.0])

    def __init__(self, n, gen):
        self.n, self.gen = n, gen
        self.reset()

    def reset(self):
        self.stock = torch.randint(0, 16, (self.n,), generator=self.gen).float()
        self.day = torch.randint(0, 7, (self.n,), generator=self.gen)
        self.t = 0
        return self.obs()

    def obs(self):
        wd = torch.nn.functional.one_hot(self.day, 7).float()
        return torch.cat([self.stock.unsqueeze(1) / 10 - 1, wd], 1)

    def step(self, action):
        order = torch.tensor(self.ORDERS)[action].float()
        self.stock = (self.stock + order).clamp(max=self.MAX)
        demand = torch.poisson(self.DEMAND[self.day], generator=self.gen)
        sold = torch.minimum(demand, self.stock)
        self.stock = self.stock - sold
        reward = (2.0 * sold - 0.25 * self.stock - 1.0 * (demand - sold) - 0.5 * (order > 0)) / 10 - 1.0
        self.day = (self.day + 1) % 7
        self.t += 1
        return self.obs(), reward, self.t >= self.HORIZON
