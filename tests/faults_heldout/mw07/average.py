import copy

import torch


class WeightAverage:
    """Keeps a smoothed copy of the network, which is the one that is shipped."""

    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for avg, cur in zip(self.model.state_dict().values(), model.state_dict().values()):
            if avg.dtype.is_floating_point:
                avg.lerp_(cur, 1 - self.decay)
            else:
                avg.copy_(cur)
