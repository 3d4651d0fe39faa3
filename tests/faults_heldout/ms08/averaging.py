import copy

import torch


class WeightAverage:
    """Exponential moving average of the weights with a short ramp at the start."""

    def __init__(self, model, decay):
        self.decay = decay
        self.updates = 0
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        self.updates += 1
        d = min(self.decay, (1 + self.updates) / (10 + self.updates))
        for avg, p in zip(self.model.parameters(), model.parameters()):
            avg.lerp_(p, 1 - d)
