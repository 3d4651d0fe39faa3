from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Cohort:
    markers: torch.Tensor
    months: torch.Tensor
    died: torch.Tensor

    @classmethod
    def read(cls, path):
        z = np.load(path)
        return cls(torch.from_numpy(z["markers"].astype(np.float32)),
                   torch.from_numpy(z["months"].astype(np.float32)),
                   torch.from_numpy(z["died"].astype(np.float32)))

    def __len__(self):
        return len(self.months)

    def standardise(self, mean, std):
        self.markers = (self.markers - mean) / std

    def take(self, rows):
        return self.markers[rows], self.months[rows], self.died[rows]
