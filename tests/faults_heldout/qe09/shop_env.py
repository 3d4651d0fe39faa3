import numpy as np

DEMAND = [1, 1, 2, 2, 3, 5, 4]
MAX_STOCK, MAX_ORDER = 12, 5


class Shop:
    """One product, one order a day; demand depends on the day of the week."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.stock, self.day = 5, 0

    def step(self, order):
        avail = min(self.stock + order, MAX_STOCK)
        demand = self.rng.poisson(DEMAND[self.day])
        sold = min(avail, demand)
        self.stock = avail - sold
        self.day = (self.day + 1) % 7
        return 4.0 * sold - 1.5 * order - 0.4 * self.stock - 1.0 * (demand - sold)


def run_policy(policy, days=700, seed=99):
    env, total = Shop(seed), 0.0
    for _ in range(days):
        total += env.step(policy(env.stock, env.day))
    return total / days
