import torch
import torch.nn as nn


class ChargeEstimator(nn.Module):
    """GRU over sensor readings. The first reading of a drive comes with the charge shown by the pack at rest."""

    def __init__(self, inputs=4, hidden=48):
        super().__init__()
        self.rnn = nn.GRU(inputs, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x, state=None):
        out, state = self.rnn(x, state)
        return self.head(out).squeeze(-1), state
