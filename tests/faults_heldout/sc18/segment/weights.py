import copy

import torch


class AveragedModel:
    """Exponential moving average with the usual (1 + t) / (10 + t) ramp."""

    def __init__(self, model, decay):
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)
        self.decay, self.t = decay, 0

    @torch.no_grad()
    def update(self, model):
        self.t += 1
        d = min(self.decay, (1 + self.t) / (10 + self.t))
        for ours, theirs in zip(self.module.parameters(), model.parameters()):
            ours.lerp_(theirs, 1 - d)
