"""Small molecule-like graphs, stored as flat arrays (atoms and bonds of all graphs in a row)."""
import json

import numpy as np
import torch
from torch.utils.data import Dataset


class GraphStore:
    def __init__(self, path):
        z = np.load(path)
        self.atoms, self.bonds, self.targets = z["atoms"], z["bonds"], z["targets"]
        self.atom_ptr, self.bond_ptr = z["atom_ptr"], z["bond_ptr"]
        self.n_atom_types = int(self.atoms.max()) + 1

    def graph(self, i):
        a = self.atoms[self.atom_ptr[i]:self.atom_ptr[i + 1]]
        b = self.bonds[self.bond_ptr[i]:self.bond_ptr[i + 1]]
        return a, b, self.targets[i]


class GraphSubset(Dataset):
    def __init__(self, store, ids):
        self.store, self.ids = store, list(ids)

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, k):
        return self.store.graph(self.ids[k])


def read_partition(path):
    with open(path) as fh:
        part = json.load(fh)
    return part["train"], part["val"], part["test"]


def collate_graphs(items):
    atoms, src, dst, owner, targets = [], [], [], [], []
    base = 0
    for g, (a, b, t) in enumerate(items):
        atoms.append(a)
        owner.append(np.full(len(a), g))
        src += [b[:, 0] + base, b[:, 1] + base]
        dst += [b[:, 1] + base, b[:, 0] + base]
        targets.append(t)
        base += len(a)
    cat = lambda xs: torch.from_numpy(np.concatenate(xs).astype(np.int64))
    return cat(atoms), cat(src), cat(dst), cat(owner), torch.from_numpy(np.stack(targets).astype(np.float32))
