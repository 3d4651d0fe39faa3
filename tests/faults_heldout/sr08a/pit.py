import gzip
from typing import NamedTuple

import torch

GRAINS = ["PP", "DF", "RG", "FC", "DH", "SH", "MF", "IF"]
HAND = {"F": 1.0, "4F": 2.0, "1F": 3.0, "P": 4.0, "K": 5.0, "I": 6.0}
CALLS = ["good", "fair", "poor"]


class Pits(NamedTuple):
    grain: torch.Tensor
    layer: torch.Tensor
    live: torch.Tensor
    call: torch.Tensor

    def take(self, idx):
        return Pits(*(t[idx] for t in self))


def load(path, deepest):
    """one pit per line: call, then layers from the surface as thickness:hand:grain:size:temp"""
    grain, layer, live, call = [], [], [], []
    with gzip.open(path, "rt") as fh:
        for line in fh:
            verdict, *layers = line.split()
            g = torch.zeros(deepest, dtype=torch.long)
            f = torch.zeros(deepest, 4)
            m = torch.zeros(deepest, dtype=torch.bool)
            for k, text in enumerate(layers):
                thick, hand, kind, size, temp = text.split(":")
                g[k] = GRAINS.index(kind)
                f[k] = torch.tensor([(float(thick) - 20) / 14, (HAND[hand] - 3) / 1.5,
                                     (float(size) - 1.3) / 0.8, (float(temp) + 5) / 3.5])
                m[k] = True
            grain.append(g), layer.append(f), live.append(m)
            call.append(CALLS.index(verdict))
    return Pits(torch.stack(grain), torch.stack(layer), torch.stack(live), torch.tensor(call))
