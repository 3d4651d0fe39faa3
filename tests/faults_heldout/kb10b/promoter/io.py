import torch

BASES = "ACGT"


def parse_value(text):
    for cast in (int, float):
        try:
            return cast(text)
        except ValueError:
            continue
    return text


def load_yaml(path):
    """key: value lines, one level."""
    pairs = (l.split(":", 1) for l in open(path) if ":" in l and not l.lstrip().startswith("#"))
    return {k.strip(): parse_value(v.split("#")[0].strip()) for k, v in pairs}


def load_sequences(path):
    labels, seqs = [], []
    for line in open(path):
        lab, s = line.split()
        labels.append(int(lab))
        seqs.append([BASES.index(c) for c in s])
    onehot = torch.nn.functional.one_hot(torch.tensor(seqs), 4).float()
    return onehot, torch.tensor(labels)
