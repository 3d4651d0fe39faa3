"""Random organic-like graphs with an additive formation energy (kJ/mol)."""
import numpy as np
import torch

ATOM = np.array([-120.0, -310.0, -250.0, -90.0])
BOND = np.array([[-45, -60, -52, -38], [-60, -30, -41, -55], [-52, -41, -25, -47], [-38, -55, -47, -15.0]])


def molecule(r):
    n = int(r.integers(4, 22))
    kind = r.choice(4, n, p=[0.55, 0.18, 0.15, 0.12])
    edges = [(i, int(r.integers(max(0, i - 3), i))) for i in range(1, n)]
    for _ in range(int(r.integers(0, 3))):
        i, j = r.integers(0, n, 2)
        if i != j and (i, j) not in edges and (j, i) not in edges:
            edges.append((int(i), int(j)))
    deg = np.bincount(np.array(edges).ravel(), minlength=n)
    e = ATOM[kind].sum() + sum(BOND[kind[i], kind[j]] for i, j in edges) + 9.0 * np.maximum(deg - 3, 0).sum()
    return kind, edges, e + r.normal(0, 4.0)


def collection(n, seed):
    r = np.random.default_rng(seed)
    return [molecule(r) for _ in range(n)]


def collate(mols):
    kind, src, dst, owner, energy, shift = [], [], [], [], [], 0
    for g, (k, edges, e) in enumerate(mols):
        kind.append(torch.from_numpy(k))
        ed = torch.tensor(edges) + shift
        src += [ed[:, 0], ed[:, 1]]
        dst += [ed[:, 1], ed[:, 0]]
        owner.append(torch.full((len(k),), g))
        energy.append(e)
        shift += len(k)
    return (torch.cat(kind), torch.cat(src), torch.cat(dst), torch.cat(owner),
            torch.tensor(energy, dtype=torch.float32))
