from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Graph:
    x: torch.Tensor
    y: torch.Tensor
    adj: torch.Tensor
    train_mask: torch.Tensor
    val_mask: torch.Tensor
    test_mask: torch.Tensor

    @property
    def num_classes(self):
        return int(self.y.max()) + 1


def gcn_norm(edge_index, n):
    src, dst = edge_index
    loops = torch.arange(n)
    idx = torch.stack([torch.cat([src, dst, loops]), torch.cat([dst, src, loops])])
    a = torch.sparse_coo_tensor(idx, torch.ones(idx.shape[1]), (n, n)).coalesce()
    deg = torch.sparse.sum(a, dim=1).to_dense()
    r, c = a.indices()
    vals = a.values() / (deg[r] * deg[c]).sqrt()
    return torch.sparse_coo_tensor(a.indices(), vals, (n, n), is_coalesced=True)


def load(path):
    d = np.load(path)
    x = torch.from_numpy(d["x"]).float()
    x = x / x.sum(1, keepdim=True).clamp(min=1)
    n = len(x)
    masks = {k: torch.from_numpy(d[k]) for k in ("train_mask", "val_mask", "test_mask")}
    return Graph(x, torch.from_numpy(d["y"]).long(), gcn_norm(torch.from_numpy(d["edges"]).long(), n), **masks)
