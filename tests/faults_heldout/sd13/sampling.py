import math

import torch
from torch.utils.data import Sampler


class BudgetSampler(Sampler):
    """Random subset of the data for every epoch, so that an epoch has a fixed budget of samples."""

    def __init__(self, data_source, budget, seed=0):
        self.data_source = data_source
        self.budget = min(budget, len(data_source))
        self.seed = seed

    def __len__(self):
        return self.budget

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.seed)
        order = torch.randperm(len(self.data_source), generator=generator)
        yield from order[:self.budget].tolist()

    def num_batches(self, batch_size):
        return math.ceil(self.budget / batch_size)
