import torch
from torch import nn


class Field(nn.Module):
    """dz/dt = f(z)"""

    def __init__(self, dim, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.ELU(), nn.Linear(width, width), nn.ELU(), nn.Linear(width, dim))

    def forward(self, z):
        return self.net(z)


def odeint_euler(f, z, t0, t1, n_steps):
    """Explicit Euler from t0 to t1."""
    dt = (t1 - t0) / n_steps
    t = t0
    for _ in range(n_steps):
        z = z + f(z)
        t = t + dt
    return z


class NeuralODE(nn.Module):
    def __init__(self, d_in, d_state, n_out, horizon=1.0, n_steps=100):
        super().__init__()
        self.encode = nn.Linear(d_in, d_state)
        self.field = Field(d_state)
        self.decode = nn.Linear(d_state, n_out)
        self.horizon, self.n_steps = horizon, n_steps

    def forward(self, x):
        z = self.encode(x)
        z = odeint_euler(self.field, z, 0.0, self.horizon, self.n_steps)
        return self.decode(z)
