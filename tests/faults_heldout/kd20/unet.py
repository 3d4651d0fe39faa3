import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


def double(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(),
                         nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())


class UNet(nn.Module):
    def __init__(self, base=12, save_memory=True):
        super().__init__()
        self.d1, self.d2, self.mid = double(1, base), double(base, 2 * base), double(2 * base, 4 * base)
        self.u2, self.u1 = double(6 * base, 2 * base), double(3 * base, base)
        self.out = nn.Conv2d(base, 1, 1)
        self.save_memory = save_memory

    def _run(self, block, x):
        if self.save_memory and self.training:
            return checkpoint(block, x, use_reentrant=False)
        return block(x)

    def forward(self, x):
        a = self._run(self.d1, x)
        b = self._run(self.d2, F.max_pool2d(a, 2))
        c = self._run(self.mid, F.max_pool2d(b, 2))
        up = lambda t: F.interpolate(t, scale_factor=2, mode="nearest")
        b = self._run(self.u2, torch.cat([up(c), b], 1))
        a = self._run(self.u1, torch.cat([up(b), a], 1))
        return self.out(a)
