import copy

import torch


class WeightAverage:
    """Exponential moving average of the weights, used for validation and export."""

    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for avg, cur in zip(self.model.parameters(), model.parameters()):
            avg.lerp_(cur, 1 - self.decay)
