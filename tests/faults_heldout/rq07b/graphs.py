from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Batch:
    nodes: torch.Tensor   # (B, N) node kinds, 0 = empty slot
    adj: torch.Tensor     # (B, N, N)
    y: torch.Tensor


class GraphTable:
    """Small graphs stored as padded node kinds and packed adjacency bits."""

    def __init__(self, path, part):
        with np.load(path) as z:
            nodes = z[f"{part}_nodes"]
            n = nodes.shape[1]
            bits = np.unpackbits(z[f"{part}_adj"], axis=1)[:, :n * n]
            self.nodes = torch.from_numpy(nodes.astype(np.int64))
            self.adj = torch.from_numpy(bits.reshape(-1, n, n).astype(np.float32))
            self.y = torch.from_numpy(z[f"{part}_y"].astype(np.float32))

    def __len__(self):
        return len(self.y)

    def whole(self):
        return Batch(self.nodes, self.adj, self.y)

    def batches(self, size):
        order = torch.randperm(len(self))
        for i in range(0, len(order) - size + 1, size):
            k = order[i:i + size]
            yield Batch(self.nodes[k], self.adj[k], self.y[k])
