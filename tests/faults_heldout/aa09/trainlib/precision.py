from contextlib import nullcontext

import torch


class Precision:
    """Mixed precision in one object: ``autocast`` context, ``backward`` and ``step``."""

    def __init__(self, enabled, device="cpu", dtype=torch.float16):
        self.enabled, self.device, self.dtype = enabled, device, dtype
        self.scaler = torch.amp.GradScaler(device, enabled=enabled)

    def autocast(self):
        return torch.autocast(self.device, dtype=self.dtype) if self.enabled else nullcontext()

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self, optimizer):
        self.scaler.unscale_(optimizer)
        self.scaler.step(optimizer)
        self.scaler.update()
