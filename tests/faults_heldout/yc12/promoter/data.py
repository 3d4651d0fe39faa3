import torch
from torch.utils.data import DataLoader, Dataset

BASES = "ACGT"
CODE = {b: i for i, b in enumerate(BASES)}


class SequenceFile(Dataset):
    """Lines `split<TAB>label<TAB>sequence`."""

    def __init__(self, path, split):
        self.rows = []
        for line in path.read_text().splitlines():
            part, label, seq = line.split("\t")
            if part == split:
                self.rows.append((torch.tensor([CODE[b] for b in seq]), int(label)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def make_loaders(path, batch_size):
    return (DataLoader(SequenceFile(path, "train"), batch_size, shuffle=True),
            DataLoader(SequenceFile(path, "val"), 200))
