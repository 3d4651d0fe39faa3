import numpy as np
import torch

ELEMENTS = "CNOFS"


class MoleculeFile:
    """Flat arrays of atoms and bonds, cut into one graph per molecule."""

    def __init__(self, path):
        z = np.load(path)
        atoms = np.split(z["atoms"], np.cumsum(z["n_atoms"])[:-1])
        bonds = np.split(z["bonds"], np.cumsum(z["n_bonds"])[:-1])
        self.graphs = [(torch.from_numpy(a).long(), torch.from_numpy(b).long())
                       for a, b in zip(atoms, bonds)]
        self.energy = torch.from_numpy(z["energy"])

    def batch(self, index):
        """Disjoint union of the chosen graphs."""
        z, src, dst, owner, shift = [], [], [], [], 0
        for g, k in enumerate(index.tolist()):
            a, b = self.graphs[k]
            z.append(a)
            src += [b[:, 0] + shift, b[:, 1] + shift]
            dst += [b[:, 1] + shift, b[:, 0] + shift]
            owner.append(torch.full_like(a, g))
            shift += len(a)
        return (torch.cat(z), torch.cat(src), torch.cat(dst), torch.cat(owner),
                self.energy[index])
