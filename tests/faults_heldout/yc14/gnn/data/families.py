import random

import torch
from torch.utils.data import Dataset


def _random(rng, n):
    return {(i, j) for i in range(n) for j in range(i) if rng.random() < 3.2 / n}


def _preferential(rng, n):
    edges, ends = {(1, 0), (2, 0)}, [0, 0, 1, 2]
    for i in range(3, n):
        for j in {rng.choice(ends) for _ in range(2)}:
            edges.add((i, j))
            ends += [i, j]
    return edges


def _small_world(rng, n):
    edges = set()
    for i in range(n):
        for d in (1, 2):
            j = (i + d) % n if rng.random() > 0.15 else rng.randrange(n)
            if i != j:
                edges.add((max(i, j), min(i, j)))
    return edges


def _communities(rng, n):
    side = [rng.random() < 0.5 for _ in range(n)]
    return {(i, j) for i in range(n) for j in range(i)
            if rng.random() < (10.0 / n if side[i] == side[j] else 0.5 / n)}


class GraphFamilies(Dataset):
    classes = {"random": _random, "preferential": _preferential, "small_world": _small_world,
               "communities": _communities}
    max_degree = 12

    def __init__(self, n, seed):
        rng = random.Random(seed)
        makers = list(self.classes.values())
        self.items = []
        for k in range(n):
            label = k % len(makers)
            size = rng.randint(16, 28)
            edges = torch.tensor(sorted(makers[label](rng, size))).T
            edges = torch.cat([edges, edges.flip(0)], 1)
            degree = torch.bincount(edges[1], minlength=size).clamp(max=self.max_degree)
            x = torch.nn.functional.one_hot(degree, self.max_degree + 1).float()
            self.items.append((x, edges, label))

    @property
    def num_features(self):
        return self.max_degree + 1

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]
