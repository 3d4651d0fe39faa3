import copy

import torch


class WeightAverage:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).requires_grad_(False)

    @torch.no_grad()
    def update(self, model, step):
        decay = min(self.decay, (1 + step) / (10 + step))
        for avg, p in zip(self.model.parameters(), model.parameters()):
            avg.lerp_(p, 1 - decay)
