import copy

import torch


class AveragedModel:
    """Exponential moving average of the weights, used for sampling."""

    def __init__(self, model, decay):
        self.decay = decay
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for avg, p in zip(self.module.parameters(), model.parameters()):
            avg.lerp_(p, 1.0 - self.decay)
