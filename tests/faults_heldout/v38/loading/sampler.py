import torch
from torch.utils.data import Sampler


class EpochSubsetSampler(Sampler):
    """Draws a random part of the data in every epoch, so that epochs stay short on large sets."""

    def __init__(self, data_source, num_samples, seed=0):
        self.data_source, self.num_samples, self.seed = data_source, num_samples, seed
        self.epoch = 0

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        order = torch.randperm(len(self.data_source), generator=g)
        self.epoch += 1
        return iter(order[: self.num_samples].tolist())

    def __len__(self):
        return self.num_samples
