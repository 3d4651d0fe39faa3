import torch
from torch.utils.data import BatchSampler, DataLoader, Sampler


class EpochSampler(Sampler):
    """A reproducible random part of the data per epoch; epochs stay short on large sets."""

    def __init__(self, n, per_epoch, seed=0):
        self.n, self.per_epoch, self.seed = n, per_epoch, seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return self.per_epoch

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed * 100003 + self.epoch)
        return iter(torch.randperm(self.n, generator=g)[: self.per_epoch].tolist())


def train_loader(dataset, batch_size, per_epoch, seed):
    sampler = EpochSampler(len(dataset), per_epoch, seed)
    return DataLoader(dataset, batch_sampler=BatchSampler(sampler, batch_size, drop_last=True))
