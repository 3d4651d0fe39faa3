from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class GraphSet:
    kinds: torch.Tensor      # (G, N) node type, -1 where the graph has fewer nodes
    adj: torch.Tensor        # (G, N, N)
    target: torch.Tensor     # (G,)

    def __len__(self):
        return len(self.target)

    def __getitem__(self, i):
        return GraphSet(self.kinds[i], self.adj[i], self.target[i])

    def batches(self, size, gen):
        for idx in torch.randperm(len(self), generator=gen).split(size):
            yield self[idx]


def read(path, split):
    z = np.load(path)
    bits = np.unpackbits(z["adj"], axis=1, count=z["kinds"].shape[1] ** 2)
    n = z["kinds"].shape[1]
    full = GraphSet(
        torch.from_numpy(z["kinds"].astype(np.int64)),
        torch.from_numpy(bits.reshape(-1, n, n).astype(np.float32)),
        torch.from_numpy(z["target"]),
    )
    train = full[:split]
    mu, sd = train.target.mean(), train.target.std()
    full.target = (full.target - mu) / sd
    return full[:split], full[split:]
