import math

import torch
from torch.optim import Optimizer


class NesterovW(Optimizer):
    """SGD with Nesterov momentum and decoupled decay on matrices only."""

    def __init__(self, params, lr, momentum=0.9, decay=0.0):
        super().__init__(params, dict(lr=lr, momentum=momentum, decay=decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            lr, mom = group["lr"], group["momentum"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("velocity", torch.zeros_like(p))
                buf.mul_(mom).add_(p.grad)
                if group["decay"] and p.dim() > 1:
                    p.mul_(1 - lr * group["decay"])
                p.add_(p.grad + mom * buf, alpha=-lr)


class HalfCosine:
    def __init__(self, optimizer, total):
        self.optimizer, self.total, self.n = optimizer, total, 0
        self.peak = [g["lr"] for g in optimizer.param_groups]

    def advance(self):
        self.n += 1
        k = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, self.n / self.total)))
        for g, lr in zip(self.optimizer.param_groups, self.peak):
            g["lr"] = lr * k
