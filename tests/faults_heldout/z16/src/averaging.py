import copy

import torch


class WeightAverage:
    """Exponential moving average of a model's weights.

    The decay ramps up as (1 + n) / (10 + n) so that the average follows the
    model closely at the start of a run."""

    def __init__(self, model, decay=0.999):
        self.module = copy.deepcopy(model).eval()
        self.module.requires_grad_(False)
        self.decay, self.n = decay, 0

    def current_decay(self):
        return max(self.decay, (1 + self.n) / (10 + self.n))

    @torch.no_grad()
    def update(self, model):
        d = self.current_decay()
        self.n += 1
        for avg, p in zip(self.module.parameters(), model.parameters()):
            avg.lerp_(p, 1 - d)
        for avg, b in zip(self.module.buffers(), model.buffers()):
            avg.copy_(b)
