import torch


class Shop:
    """Many independent shelves. Every day: order 0..8 boxes (arrive next morning), then a random demand
    with a weekly rhythm is served from the shelf. Boxes cost money to order, to keep and to lack."""

    PRICE, COST, FIXED, KEEP, LACK, CAP = 3.0, 1.0, 1.5, 0.12, 0.6, 20
    ACTIONS = 9
    STATE = 9

    def __init__(self, n, gen):
        self.n, self.gen = n, gen
        self.mean = torch.tensor([2.0, 2.0, 2.5, 3.0, 4.5, 6.0, 0.5])
        self.stock = torch.randint(0, 8, (n,), generator=gen).float()
        self.coming = torch.zeros(n)
        self.day = torch.randint(0, 7, (n,), generator=gen)

    def observe(self):
        week = torch.nn.functional.one_hot(self.day, 7).float()
        return torch.cat([self.stock[:, None] / 5 - 1, self.coming[:, None] / 4 - 1, week], 1)

    def step(self, order):
        self.stock = (self.stock + self.coming).clamp(max=self.CAP)
        self.coming = order.float()
        want = torch.poisson(self.mean[self.day], generator=self.gen)
        sold = torch.minimum(want, self.stock)
        self.stock = self.stock - sold
        gain = (self.PRICE * sold - self.COST * order - self.FIXED * (order > 0)
                - self.KEEP * self.stock - self.LACK * (want - sold))
        self.day = (self.day + 1) % 7
        return gain
