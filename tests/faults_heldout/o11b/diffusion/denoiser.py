import math

import torch
import torch.nn as nn


class Denoiser(nn.Module):
    def __init__(self, hidden, steps, n_freq=8):
        super().__init__()
        self.steps = steps
        self.register_buffer("freq", 2.0 ** torch.arange(n_freq) * math.pi / 2)
        self.net = nn.Sequential(
            nn.Linear(2 + 2 * n_freq, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 2),
        )

    def forward(self, x, t):
        ang = (t.float() / self.steps).unsqueeze(1) * self.freq
        return self.net(torch.cat([x, ang.sin(), ang.cos()], 1))
