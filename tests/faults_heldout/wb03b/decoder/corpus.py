"""Recorded bus frames and the payload they decode to, one symbol per slot."""
import json
from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Frames:
    wire: torch.Tensor
    payload: torch.Tensor

    def __len__(self):
        return len(self.wire)

    def batches(self, size, generator=None):
        order = torch.arange(len(self)) if generator is None else torch.randperm(len(self), generator=generator)
        stop = len(order) - len(order) % size if generator is not None else len(order)
        for i in range(0, stop, size):
            pick = order[i:i + size]
            yield self.wire[pick], self.payload[pick]


def load_frames(path, holdout):
    with np.load(path) as z:
        wire = torch.from_numpy(z["wire"].astype(np.int64))
        payload = torch.from_numpy(z["payload"].astype(np.int64))
    cut = len(wire) - holdout
    return Frames(wire[:cut], payload[:cut]), Frames(wire[cut:], payload[cut:])


def load_config(path):
    with open(path) as fh:
        return json.load(fh)
