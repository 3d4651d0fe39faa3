import numpy as np
import torch


def build(users=1500, items=200, rank=4, density=0.08, seed=12):
    r = np.random.default_rng(seed)
    score = 1.2 * r.normal(size=(users, rank)) @ r.normal(size=(items, rank)).T / np.sqrt(rank)
    score = score + 0.3 * r.normal(size=score.shape) + 0.5 * r.normal(size=(1, items))
    seen = r.random(score.shape) < density
    held = seen & (r.random(score.shape) < 0.15)
    f = lambda a: torch.tensor(a, dtype=torch.float32)
    return f(score), f(seen & ~held), f(held)
