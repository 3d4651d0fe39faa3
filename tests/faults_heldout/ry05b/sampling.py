import torch
from torch.utils.data import Sampler


class EpochSampler(Sampler):
    """Draws a fixed budget of samples per epoch, without replacement inside the epoch."""

    def __init__(self, size, budget, seed, restart):
        self.size, self.budget = size, min(budget, size)
        self.seed, self.restart = seed, restart
        self.generator = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.budget

    def __iter__(self):
        if self.restart:
            self.generator.manual_seed(self.seed)
        order = torch.randperm(self.size, generator=self.generator)
        return iter(order[: self.budget].tolist())
