import numpy as np
import torch


class GraphSet:
    """Flat storage: node/edge arrays with offsets per molecule."""

    def __init__(self, path):
        z = np.load(path)
        self.atom = torch.from_numpy(z["atom"].astype(np.int64))
        self.edge = torch.from_numpy(z["edge"].astype(np.int64))      # (2, E), local indices
        self.bond = torch.from_numpy(z["bond"].astype(np.int64))
        self.node_off = np.concatenate([[0], np.cumsum(z["n_nodes"], dtype=np.int64)])
        self.edge_off = np.concatenate([[0], np.cumsum(z["n_edges"], dtype=np.int64)])
        self.target = torch.from_numpy(z["target"].astype(np.float32))

    def __len__(self):
        return len(self.target)

    def __getitem__(self, i):
        n = slice(self.node_off[i], self.node_off[i + 1])
        e = slice(self.edge_off[i], self.edge_off[i + 1])
        return self.atom[n], self.edge[:, e], self.bond[e], self.target[i]


def collate(items):
    atoms, edges, bonds, graph, targets = [], [], [], [], []
    base = 0
    for g, (a, e, b, t) in enumerate(items):
        atoms.append(a)
        edges.append(e + base)
        bonds.append(b)
        graph.append(torch.full((len(a),), g))
        targets.append(t)
        base += len(a)
    return (torch.cat(atoms), torch.cat(edges, 1), torch.cat(bonds), torch.cat(graph)), torch.stack(targets)
