from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Batch:
    atoms: torch.Tensor      # (n, f)
    bonds: torch.Tensor      # (2, e) indices into atoms
    owner: torch.Tensor      # (n,) which graph an atom belongs to
    target: torch.Tensor     # (g,)


class FragmentStore:
    """All fragments of the library in flat arrays, cut by offsets."""

    def __init__(self, path):
        with np.load(path) as z:
            self.atoms = torch.from_numpy(z["atoms"].astype(np.float32))
            self.bonds = torch.from_numpy(z["bonds"].astype(np.int64))
            self.first_atom = z["first_atom"]
            self.first_bond = z["first_bond"]
            self.target = torch.from_numpy(z["logs"].astype(np.float32))

    def __len__(self):
        return len(self.target)

    def collate(self, ids):
        atoms, bonds, owner, shift = [], [], [], 0
        for g, i in enumerate(ids.tolist()):
            a0, a1 = self.first_atom[i], self.first_atom[i + 1]
            b0, b1 = self.first_bond[i], self.first_bond[i + 1]
            atoms.append(self.atoms[a0:a1])
            bonds.append(self.bonds[:, b0:b1] + shift)
            owner.append(torch.full((int(a1 - a0),), g))
            shift += int(a1 - a0)
        return Batch(torch.cat(atoms), torch.cat(bonds, 1), torch.cat(owner), self.target[ids])
