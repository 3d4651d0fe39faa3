"""Small molecules as dense graphs: atom types, bond matrix, size, and the measured property."""
from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class GraphStore:
    atoms: torch.Tensor
    bonds: torch.Tensor
    mask: torch.Tensor
    target: torch.Tensor

    def __len__(self):
        return len(self.target)

    def select(self, index):
        return GraphStore(self.atoms[index], self.bonds[index], self.mask[index], self.target[index])


def open_store(path):
    with np.load(path) as z:
        atoms = torch.from_numpy(z["atoms"].astype(np.int64))
        bonds = torch.from_numpy(z["bonds"].astype(np.float32))
        size = torch.from_numpy(z["size"].astype(np.int64))
        target = torch.from_numpy(z["target"].astype(np.float32))
        part = z["part"]
    mask = (torch.arange(atoms.shape[1])[None] < size[:, None]).float()
    store = GraphStore(atoms, bonds, mask, target)
    return store.select(np.flatnonzero(part == 0)), store.select(np.flatnonzero(part == 1))


class PlannedBatches:
    """Feeds the batches in the order that was fixed for all models of the comparison."""

    def __init__(self, store, plan_path):
        self.store = store
        self.plan = torch.from_numpy(np.load(plan_path).astype(np.int64))
        if int(self.plan.max()) >= len(store):
            raise ValueError("plan does not belong to this training set")

    @property
    def epochs(self):
        return self.plan.shape[0]

    @property
    def steps(self):
        return self.plan.shape[1]

    def epoch(self, number):
        for rows in self.plan[number]:
            yield self.store.select(rows)
