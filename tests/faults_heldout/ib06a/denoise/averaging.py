import copy

import torch


class WeightAverage:
    """Running average of the weights; its memory is a half-life in thousands of images seen."""

    def __init__(self, net, halflife_kimg, batch_size):
        self.net = copy.deepcopy(net).eval().requires_grad_(False)
        self.beta = 0.5 ** (batch_size / max(halflife_kimg * 1000, 1e-8))

    @torch.no_grad()
    def update(self, net):
        for avg, cur in zip(self.net.parameters(), net.parameters()):
            avg.lerp_(cur, 1 - self.beta)
        for avg, cur in zip(self.net.buffers(), net.buffers()):
            avg.copy_(cur)
