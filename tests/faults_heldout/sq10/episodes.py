import os
import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["swipe_left", "swipe_right", "lift", "drop", "circle_cw", "circle_ccw"]


def load(seed):
    """acc: (n, time, xyz), 40 counts = 1 g"""
    z = np.load(os.path.join(HERE, "gestures.npz"))
    x = torch.tensor(z["acc"].astype(np.float32) / 40.0)
    y = torch.tensor(z["label"].astype(np.int64))
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    cut = int(0.6 * len(y))
    return (x[order[:cut]], y[order[:cut]]), (x[order[cut:]], y[order[cut:]])


class Augment:
    """Wrist recordings differ in strength, timing, sensor noise and the arm on which the band is worn."""

    def __init__(self, noise=0.08, scale=0.2, shift=3, mirror=0.5):
        self.noise, self.scale, self.shift, self.mirror = noise, scale, shift, mirror

    def __call__(self, x):
        n = len(x)
        x = x * (1 + self.scale * (2 * torch.rand(n, 1, 1) - 1))
        x = torch.stack([torch.roll(s, int(k), dims=0) for s, k in
                         zip(x, torch.randint(-self.shift, self.shift + 1, (n,)))])
        side = torch.where(torch.rand(n, 1) < self.mirror, -1.0, 1.0)
        x = torch.cat([x[..., :1] * side.unsqueeze(-1), x[..., 1:]], dim=-1)
        return x + self.noise * torch.randn_like(x)


def episode(x, y, shots, queries):
    sup, qry = [], []
    for c in y.unique():
        idx = torch.nonzero(y == c).squeeze(1)
        idx = idx[torch.randperm(len(idx))[:shots + queries]]
        sup.append(x[idx[:shots]])
        qry.append(x[idx[shots:]])
    labels = torch.arange(len(sup)).repeat_interleave(queries)
    return torch.cat(sup), torch.cat(qry), labels
