from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Lines:
    """Parallel event logs of the bottling lines; row = line, column = tick, all rows in order of time."""
    events: torch.Tensor
    alarms: torch.Tensor

    @classmethod
    def load(cls, path, split):
        z = np.load(path)
        return cls(torch.from_numpy(z[split + "_events"]).long(), torch.from_numpy(z[split + "_alarms"]).long())

    def chunks(self, length):
        for t in range(0, self.events.shape[1] - length + 1, length):
            yield self.events[:, t:t + length], self.alarms[:, t:t + length]
