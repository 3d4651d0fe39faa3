from types import SimpleNamespace

import numpy as np
import torch


class GraphStore:
    """Flat arrays on disk, one small record per graph in memory."""

    def __init__(self, path):
        z = np.load(path)
        atom_end, bond_end = np.cumsum(z["n_atoms"], dtype=np.int64), np.cumsum(z["n_bonds"], dtype=np.int64)
        self.graphs = []
        for i, y in enumerate(z["target"]):
            a0, b0 = atom_end[i] - z["n_atoms"][i], bond_end[i] - z["n_bonds"][i]
            one_way = torch.from_numpy(z["bonds"][b0:bond_end[i]].astype(np.int64)).T
            order = torch.from_numpy(z["order"][b0:bond_end[i]].astype(np.int64))
            self.graphs.append(SimpleNamespace(
                atoms=torch.from_numpy(z["atoms"][a0:atom_end[i]].astype(np.int64)),
                edges=torch.cat([one_way, one_way.flip(0)], dim=1),
                order=torch.cat([order, order]),
                y=float(y),
            ))

    def split(self, n_val, n_test, seed):
        order = np.random.default_rng(seed).permutation(len(self.graphs))
        take = lambda ids: [self.graphs[i] for i in ids]
        return take(order[n_val + n_test:]), take(order[:n_val]), take(order[n_val:n_val + n_test])


def merge(graphs):
    """Disjoint union of graphs."""
    offsets = np.cumsum([0] + [len(g.atoms) for g in graphs[:-1]]).tolist()
    return SimpleNamespace(
        atoms=torch.cat([g.atoms for g in graphs]),
        edges=torch.cat([g.edges + o for g, o in zip(graphs, offsets)], dim=1),
        order=torch.cat([g.order for g in graphs]),
        owner=torch.cat([torch.full((len(g.atoms),), i) for i, g in enumerate(graphs)]),
        y=torch.tensor([g.y for g in graphs]),
        size=len(graphs),
    )
