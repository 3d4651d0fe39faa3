import torch
from torch.utils.data import Sampler


class SubsetEpochSampler(Sampler):
    """Short epochs: every epoch visits `num_samples` random items of the data set.

    The order depends on (seed, epoch) only, so that a resumed run sees the same data
    as an uninterrupted one.
    """

    def __init__(self, length, num_samples, seed=0):
        self.length = length
        self.num_samples = min(num_samples, length)
        self.seed = seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        g = torch.Generator()
        g.manual_seed(self.seed + self.epoch)
        yield from torch.randperm(self.length, generator=g)[: self.num_samples].tolist()

    def __len__(self):
        return self.num_samples
