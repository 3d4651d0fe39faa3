from pathlib import Path

import numpy as np
import torch


class Graph:
    """Undirected graph with bag-of-words node features."""

    def __init__(self, path: Path):
        blob = np.load(path)
        self.x = torch.from_numpy(blob["words"].astype(np.float32))
        self.x = self.x / self.x.sum(1, keepdim=True).clamp(min=1)
        self.y = torch.from_numpy(blob["field"].astype(np.int64))
        self.adj = self._normalised(blob["edges"].astype(np.int64), len(self.y))
        self.masks = {k: torch.from_numpy(blob[k].astype(np.int64)) for k in ("train", "val", "test")}
        self.n_classes = int(self.y.max()) + 1

    @staticmethod
    def _normalised(edges, n):
        loops = np.stack([np.arange(n), np.arange(n)])
        both = np.concatenate([edges, edges[::-1], loops], axis=1)
        both = torch.from_numpy(np.ascontiguousarray(both))
        deg = torch.bincount(both[0], minlength=n).float()
        w = deg[both[0]].rsqrt() * deg[both[1]].rsqrt()
        return torch.sparse_coo_tensor(both, w, (n, n)).coalesce()
