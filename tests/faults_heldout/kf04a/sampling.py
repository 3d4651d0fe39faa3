import torch
from torch.utils.data import Sampler


class SubsetPerEpoch(Sampler):
    """Draws `per_epoch` samples without replacement; call set_epoch() before every epoch."""

    def __init__(self, n, per_epoch, seed, stride):
        self.n, self.per_epoch = n, per_epoch
        self.seed, self.stride = seed, stride
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return self.per_epoch

    def __iter__(self):
        g = torch.Generator()
        g.manual_seed(self.seed + self.stride * self.epoch)
        yield from torch.randperm(self.n, generator=g)[: self.per_epoch].tolist()
