import numpy as np
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset


class Solubility:
    def __init__(self, path, seed):
        z = np.load(path)
        bits = torch.from_numpy(np.unpackbits(z["bits"], axis=1).astype(np.float32))
        logs = torch.from_numpy(z["logs"].astype(np.float32))
        perm = torch.randperm(len(logs), generator=torch.Generator().manual_seed(seed))
        self.seed = seed
        self.test = bits[perm[:800]], logs[perm[:800]]
        self.train = TensorDataset(bits[perm[800:]], logs[perm[800:]])

    def round(self, size, batch):
        gen = torch.Generator().manual_seed(self.seed)
        sampler = RandomSampler(self.train, num_samples=size, generator=gen)
        return DataLoader(self.train, batch_size=batch, sampler=sampler)
