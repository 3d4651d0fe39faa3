import numpy as np
import torch


class MolSet:
    def __init__(self, path):
        z = np.load(path)
        self.atoms = torch.from_numpy(z["z"].astype(np.int64))
        self.bonds = torch.from_numpy(z["bonds"].astype(np.int64))
        self.nptr, self.bptr = z["node_ptr"], z["bond_ptr"]
        self.y = torch.from_numpy(z["logs"])

    def __len__(self):
        return len(self.y)

    def collate(self, ids):
        atoms, edges, owner, off = [], [], [], 0
        for g, i in enumerate(ids):
            a = self.atoms[self.nptr[i]:self.nptr[i + 1]]
            b = self.bonds[self.bptr[i]:self.bptr[i + 1]] + off
            atoms.append(a)
            edges += [b, b.flip(1)]
            owner.append(torch.full((len(a),), g))
            off += len(a)
        return torch.cat(atoms), torch.cat(edges).t(), torch.cat(owner), self.y[torch.as_tensor(ids)]


class Batches:
    def __init__(self, data, ids, size, shuffle=False):
        self.data, self.ids, self.size, self.shuffle = data, torch.as_tensor(ids), size, shuffle

    def __len__(self):
        return -(-len(self.ids) // self.size)

    def __iter__(self):
        ids = self.ids[torch.randperm(len(self.ids))] if self.shuffle else self.ids
        for chunk in ids.split(self.size):
            yield self.data.collate(chunk.tolist())
