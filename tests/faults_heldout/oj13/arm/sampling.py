import torch
from torch.utils.data import Sampler


class PartialEpoch(Sampler):
    """Visits `per_epoch` random rows of the log each epoch instead of all of them."""

    def __init__(self, rows, per_epoch, seed=0):
        self.rows = rows
        self.per_epoch = per_epoch
        self.seed = seed

    def __len__(self):
        return self.per_epoch

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        return iter(torch.randperm(self.rows, generator=g)[:self.per_epoch].tolist())
