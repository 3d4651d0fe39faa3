import copy

import numpy as np
import torch


class QuantileScaler:
    """Median and inter-quartile range; robust against the long tail of cycle times."""

    def fit(self, x):
        lo, self.mid, hi = np.quantile(x, [0.25, 0.5, 0.75], axis=0).astype(np.float32)
        self.width = (hi - lo) / np.float32(1.35)
        return self

    def apply(self, x):
        return np.clip((x - self.mid) / self.width, -6, 6)


def as_recorded(labels, size, rng):
    while True:
        order = rng.permutation(len(labels))
        for i in range(0, len(order) - size + 1, size):
            yield order[i:i + size]


def even(labels, size, rng):
    """every state fills the same number of places in a batch"""
    pools = [np.flatnonzero(labels == c) for c in np.unique(labels)]
    while True:
        share = [rng.choice(p, size // len(pools), replace=len(p) < size) for p in pools]
        yield rng.permutation(np.concatenate(share))


DRAWS = {"as_recorded": as_recorded, "even": even}


class HeavyBall:
    """Momentum with centred gradients for weight matrices."""

    def __init__(self, net, lr, momentum, decay):
        self.net, self.lr, self.momentum, self.decay = net, lr, momentum, decay
        self.speed = {}

    def __call__(self, rate):
        for name, p in self.net.named_parameters():
            g = p.grad
            if p.dim() == 2:
                g = g - g.mean(1, keepdim=True) + self.decay * p.data
            v = self.speed.get(name)
            v = g.clone() if v is None else v.mul_(self.momentum).add_(g)
            self.speed[name] = v
            p.data = p.data - self.lr * rate * v
            p.grad = None


def triangle(step, total, rise=0.1):
    x = step / total
    return max(0.02, x / rise if x < rise else (1 - x) / (1 - rise))


class Average:
    """Weight average whose memory grows with the number of steps, up to `top`."""

    def __init__(self, net, top):
        self.copy, self.top, self.n = copy.deepcopy(net), top, 0

    @torch.no_grad()
    def take(self, net):
        self.n += 1
        keep = min(self.top, (1 + self.n) / (10 + self.n))
        for a, p in zip(self.copy.parameters(), net.parameters()):
            a.lerp_(p, 1 - keep)


class Verdicts:
    def __init__(self, names):
        self.names, self.t = names, np.zeros((len(names), len(names)), dtype=int)

    def add(self, truth, guess):
        np.add.at(self.t, (truth, guess), 1)

    def recall(self):
        return self.t.diagonal() / self.t.sum(1)

    def flagged(self):
        """share of all traps sent to the fitters (any state but the first)"""
        return self.t[:, 1:].sum() / self.t.sum()
