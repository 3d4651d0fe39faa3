import math

import torch

WEEK = torch.tensor([3.0, 3.0, 4.0, 4.0, 6.0, 8.0, 2.0])


class Store:
    """A shelf with lost sales; many copies run side by side."""

    def __init__(self, copies, shelf=20):
        self.n, self.shelf = copies, shelf

    def reset(self):
        self.stock = torch.randint(0, 8, (self.n,)).float()
        self.day = torch.randint(0, 7, (self.n,))
        return self.observe()

    def observe(self):
        a = 2 * math.pi * self.day / 7
        return torch.stack([self.stock / 10 - 0.5, a.sin(), a.cos(), (2 * a).sin(), (2 * a).cos()], 1)

    def step(self, order):
        self.stock = (self.stock + order).clamp(max=self.shelf)
        sold = torch.minimum(torch.poisson(WEEK[self.day]), self.stock)
        self.stock = self.stock - sold
        self.day = (self.day + 1) % 7
        return self.observe(), 4.0 * sold - 1.5 * order - 0.4 * self.stock
