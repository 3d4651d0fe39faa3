import torch

BASES = "ACGT"
NAMES = ["background", "forward", "reverse"]


def read(path):
    seqs, labels = [], []
    with open(path) as f:
        for line in f:
            s, name = line.rstrip("\n").split("\t")
            seqs.append([BASES.index(c) for c in s])
            labels.append(NAMES.index(name))
    return torch.tensor(seqs), torch.tensor(labels)
