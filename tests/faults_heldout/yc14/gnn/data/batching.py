from typing import NamedTuple

import torch


class GraphBatch(NamedTuple):
    x: torch.Tensor
    edges: torch.Tensor
    owner: torch.Tensor
    y: torch.Tensor

    @property
    def size(self):
        return len(self.y)


def batch_graphs(items):
    xs, es, owner, shift = [], [], [], 0
    for k, (x, e, _) in enumerate(items):
        xs.append(x)
        es.append(e + shift)
        owner.append(torch.full((len(x),), k))
        shift += len(x)
    return GraphBatch(torch.cat(xs), torch.cat(es, 1), torch.cat(owner), torch.tensor([it[2] for it in items]))
