import numpy as np
import torch


class Ratings:
    def __init__(self, path, holdout, seed):
        raw = np.load(path)
        order = np.random.default_rng(seed).permutation(len(raw["stars"]))
        cut = int(len(order) * (1 - holdout))
        pick = lambda part: tuple(torch.from_numpy(raw[k][part]).to(t) for k, t in
                                  (("users", torch.long), ("items", torch.long), ("stars", torch.float32)))
        self.train, self.test = pick(order[:cut]), pick(order[cut:])

    def batches(self, size, generator):
        u, i, s = self.train
        for idx in torch.randperm(len(s), generator=generator).split(size):
            yield u[idx], i[idx], s[idx]
