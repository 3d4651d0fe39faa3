import torch
from torch.utils.data import Dataset

BASES = "ACGT"


class Promoters(Dataset):
    def __init__(self, lines):
        pairs = [line.split("\t") for line in lines]
        idx = torch.tensor([[BASES.index(b) for b in s] for s, _ in pairs])
        self.onehot = torch.nn.functional.one_hot(idx, 4).permute(0, 2, 1).float()
        self.label = torch.tensor([float(l) for _, l in pairs])

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.onehot[i], self.label[i]
