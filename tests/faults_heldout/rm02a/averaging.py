import copy
import math

import torch


class ModelEMA:
    """Shadow copy of the weights; the decay ramps up with the number of updates."""

    def __init__(self, model, decay=0.9998, ramp=150, updates=0):
        self.shadow = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay, self.ramp, self.updates = decay, ramp, updates

    def current_decay(self):
        return self.decay * (1 - math.exp(-self.updates / self.ramp))

    @torch.no_grad()
    def update(self, model):
        self.updates += 1
        d = self.current_decay()
        for s, p in zip(self.shadow.state_dict().values(), model.state_dict().values()):
            if s.dtype.is_floating_point:
                s.mul_(d).add_(p, alpha=1 - d)
