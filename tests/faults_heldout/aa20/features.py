import torch
from torch.utils.data import DataLoader


def make_loader(dataset, batch_size, shuffle=True, num_workers=0):
    return DataLoader(dataset, batch_size=batch_size, shuffle=shuffle, num_workers=num_workers)


@torch.no_grad()
def extract(backbone, loader):
    """Run the frozen backbone once over the data; much cheaper than in every epoch."""
    backbone.eval()
    return torch.cat([backbone(x) for x, *_ in loader])


class Whiten:
    def __init__(self, feats):
        self.mean, self.std = feats.mean(0), feats.std(0) + 1e-4

    def __call__(self, feats):
        return (feats - self.mean) / self.std
