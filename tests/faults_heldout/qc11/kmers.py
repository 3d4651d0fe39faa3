import itertools
import torch

INDEX = {"".join(t): i for i, t in enumerate(itertools.product("ACGT", repeat=3))}


def profile(seq):
    v = torch.zeros(64)
    for i in range(len(seq) - 2):
        v[INDEX[seq[i:i + 3]]] += 1
    return v


def load_reads(path):
    xs, ys = [], []
    for line in open(path):
        species, seq = line.split()
        xs.append(profile(seq))
        ys.append(int(species))
    return torch.stack(xs), torch.tensor(ys)
