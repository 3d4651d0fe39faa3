import random

import torch


class Reservoir:
    """Reservoir sampling (Vitter's algorithm R); keeps inputs, labels and the logits seen at insertion."""

    def __init__(self, capacity, seed):
        self.capacity, self.seen = capacity, 0
        self.items = []
        self.rng = random.Random(seed)

    def add(self, x, y, z):
        for item in zip(x, y, z):
            if len(self.items) < self.capacity:
                self.items.append(tuple(t.clone() for t in item))
            else:
                j = self.rng.randrange(self.seen + 1)
                if j < self.capacity:
                    self.items[j] = tuple(t.clone() for t in item)
            self.seen += 1

    def draw(self, k):
        got = self.rng.sample(self.items, min(k, len(self.items)))
        return [torch.stack(t) for t in zip(*got)]
