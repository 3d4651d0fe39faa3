"""Gradient statistics for the run log."""
import math
from collections import defaultdict


class GradMonitor:
    def __init__(self, model, window=50):
        self.named = list(model.named_parameters())
        self.window = window
        self.norms = defaultdict(list)
        self.dead = defaultdict(list)

    def update(self):
        """Call after backward(): squared norm and share of zero entries of each gradient."""
        for name, p in self.named:
            total, zeros = 0.0, 0
            for g in p.grad.flatten():
                v = g.item()
                total += v * v
                zeros += v == 0.0
            self.norms[name].append(math.sqrt(total))
            self.dead[name].append(zeros / p.numel())

    def summary(self):
        tail = lambda xs: sum(xs[-self.window:]) / max(1, len(xs[-self.window:]))
        return {n: (tail(self.norms[n]), tail(self.dead[n])) for n, _ in self.named}
