import random

import torch


class ReservoirReplay:
    """Uniform sample of everything seen so far (Vitter's algorithm R)."""

    def __init__(self, capacity, seed=0):
        self.capacity = capacity
        self.seen = 0
        self.items = []
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.items)

    def add(self, x, y):
        for xi, yi in zip(x, y):
            self.seen += 1
            if len(self.items) < self.capacity:
                self.items.append((xi.clone(), int(yi)))
            else:
                j = self.rng.randrange(self.seen)
                if j < self.capacity:
                    self.items[j] = (xi.clone(), int(yi))

    def sample(self, n):
        picked = [self.items[self.rng.randrange(len(self.items))] for _ in range(n)]
        return torch.stack([p[0] for p in picked]), torch.tensor([p[1] for p in picked])
