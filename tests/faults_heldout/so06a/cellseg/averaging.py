import copy

import torch


class Averaged:
    """Keeps a smoothed copy of a network; this copy is the one we evaluate and ship."""

    def __init__(self, net, decay):
        self.net = copy.deepcopy(net).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, source):
        for mine, theirs in zip(self.net.parameters(), source.parameters()):
            mine.lerp_(theirs, 1 - self.decay)
