import copy

import torch


class ModelEMA:
    """Moving average of the weights; use ``.module`` for sampling."""

    def __init__(self, model, decay=0.9999):
        self.module = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for avg, cur in zip(self.module.state_dict().values(), model.state_dict().values()):
            if avg.dtype.is_floating_point:
                avg.lerp_(cur, 1.0 - self.decay)
            else:
                avg.copy_(cur)
