import torch

BASES = "ACGT"


def read_table(path):
    seqs, labels = [], []
    with open(path) as fh:
        next(fh)
        for line in fh:
            seq, label = line.split()
            seqs.append(seq)
            labels.append(int(label))
    return one_hot(seqs), torch.tensor(labels)


def one_hot(seqs):
    lut = {c: i for i, c in enumerate(BASES)}
    idx = torch.tensor([[lut[c] for c in s] for s in seqs])
    return torch.nn.functional.one_hot(idx, len(BASES)).float()


def reverse_complement(x):
    return x.flip(1, 2)
