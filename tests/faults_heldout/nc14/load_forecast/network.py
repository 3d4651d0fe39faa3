import torch.nn as nn


class LoadGRU(nn.Module):
    def __init__(self, n_inputs, hidden):
        super().__init__()
        self.gru = nn.GRU(n_inputs, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, x, state=None):
        h, state = self.gru(x, state)
        return x[..., 0] + self.out(h).squeeze(-1), state
