import copy

import torch


class WeightAverage:
    """Exponential moving average of a model's weights; `model` is the averaged copy."""

    def __init__(self, source, decay):
        self.decay = decay
        self.model = copy.deepcopy(source).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, source):
        for avg, cur in zip(self.model.parameters(), source.parameters()):
            avg.lerp_(cur, 1.0 - self.decay)
        for avg, cur in zip(self.model.buffers(), source.buffers()):
            avg.copy_(cur)
