"""Hourly demand of a bike sharing scheme: features and network."""
import math

import numpy as np
import torch
import torch.nn as nn


def build_features(blob):
    hour = blob["hour"].astype(np.float32)
    day = blob["weekday"].astype(np.int64)
    columns = [np.sin(2 * math.pi * k * hour / 24) for k in (1, 2, 3)]
    columns += [np.cos(2 * math.pi * k * hour / 24) for k in (1, 2, 3)]
    columns += [(day >= 5).astype(np.float32)]
    columns += [(day >= 5) * c for c in columns[:6]]
    columns += [(blob["temp"] - 15.0) / 8.0, blob["wind"] / 10.0, blob["rain"]]
    return torch.from_numpy(np.stack(columns, 1).astype(np.float32))


def build_target(blob):
    # hundreds of rentals per hour
    return torch.from_numpy(blob["rentals"].astype(np.float32) / 100.0)


class DemandNet(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.hidden = nn.ModuleList()
        for width in hidden:
            self.hidden.append(nn.Linear(n_in, width))
            n_in = width
        self.output = nn.Linear(n_in, 1)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.output(x).squeeze(-1)
