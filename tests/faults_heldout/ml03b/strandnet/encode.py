import torch

ALPHABET = "ACGT"
CLASSES = ("none", "plus", "minus")
_INDEX = {c: i for i, c in enumerate(ALPHABET)}


def read_windows(path):
    """Tab-separated: window, annotation. Returns integer codes [n, length] and labels [n]."""
    codes, labels = [], []
    with open(path) as fh:
        next(fh)
        for line in fh:
            seq, strand = line.rstrip("\n").split("\t")
            codes.append([_INDEX[c] for c in seq])
            labels.append(CLASSES.index(strand))
    return torch.tensor(codes), torch.tensor(labels)


def one_hot(codes):
    return torch.nn.functional.one_hot(codes, len(ALPHABET)).float().transpose(1, 2)
