import math


class WarmupCosine:
    def __init__(self, optimizer, peak, warmup, total, min_ratio):
        self.optimizer, self.peak = optimizer, peak
        self.warmup, self.total, self.min_ratio = warmup, total, min_ratio
        self.t = 0
        self.set()

    def ratio(self):
        if self.t < self.warmup:
            return (self.t + 1) / self.warmup
        p = (self.t - self.warmup) / max(1, self.total - self.warmup)
        return self.min_ratio + (1 - self.min_ratio) * 0.5 * (1 + math.cos(math.pi * min(p, 1)))

    def set(self):
        for g in self.optimizer.param_groups:
            g["lr"] = self.peak * self.ratio()

    def step(self):
        self.t += 1
        self.set()
