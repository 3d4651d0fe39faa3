"""Watches how the bottleneck features of a network drift while it trains."""
from collections import deque

import torch


class FeatureMonitor:
    """Keeps the features of the last `history` training batches."""

    def __init__(self, module, history):
        self.features = deque(maxlen=history)
        self.reference = None
        module.register_forward_hook(self._hook)

    def _hook(self, module, inputs, output):
        if module.training:
            self.features.append(output.detach().clone())

    def drift(self):
        """Distance between the channel means of the latest batches and of the last call."""
        latest = [f.mean((0, 2, 3)) for f in list(self.features)[-8:]]
        now = torch.stack(latest).mean(0)
        value = float("nan") if self.reference is None else (now - self.reference).norm().item()
        self.reference = now
        return value
