import logging
import math

import torch
from torch import nn

log = logging.getLogger("turbine")


class Runner:
    def __init__(self, model, opt, sched, clip=1.0):
        self.model, self.opt, self.sched, self.clip = model, opt, sched, clip
        self.loss_fn = nn.SmoothL1Loss(beta=0.5)

    def step(self, x, y):
        loss = self.loss_fn(self.model(x), y)
        self.opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        if math.isfinite(norm.item()):
            self.opt.step()
        self.sched.step()
        return loss.item()

    def epoch(self, loader):
        self.model.train()
        total, n = 0.0, 0
        for x, y in loader:
            value = self.step(x, y)
            if math.isfinite(value):
                total += value * len(y)
                n += len(y)
        return total / max(n, 1)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        err = [self.model(x) - y for x, y in loader]
        err = torch.cat(err)
        return err.abs().mean().item(), err.pow(2).mean().sqrt().item()
