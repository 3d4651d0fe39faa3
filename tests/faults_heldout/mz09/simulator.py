import math

import torch
from torch import nn


class SuspensionSimulator(nn.Module):
    """Free response of one mass on a spring and a damper, semi-implicit Euler with sub-steps."""

    def __init__(self, n_samples=60, dt=0.02, substeps=4):
        super().__init__()
        self.n_samples = n_samples
        self.dt = dt / substeps
        self.substeps = substeps

    def forward(self, stiffness, damping, x0, v0):
        x, v, out = x0, v0, [x0]
        for _ in range(self.n_samples - 1):
            for _ in range(self.substeps):
                v = v - self.dt * (stiffness * x + damping * v)
                x = x + self.dt * v
            out.append(x)
        return torch.stack(out, dim=1)


class ParameterNet(nn.Module):
    """Reads a measured trace, returns (stiffness/mass, damping/mass, x0, v0) in physical ranges."""

    def __init__(self, n_samples=60, width=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_samples, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, 4))
        self.log_lo, self.log_hi = math.log(40.0), math.log(600.0)

    def forward(self, trace):
        a, b, x0, v0 = self.net(trace).unbind(1)
        k = torch.exp(self.log_lo + (self.log_hi - self.log_lo) * torch.sigmoid(a))
        c = 10.0 * torch.sigmoid(b)
        return k, c, x0, 10.0 * v0


def bench(n, noise, generator):
    """Drop tests from the rig, with sensor noise. Returns the traces and what the rig was set to."""
    u = lambda lo, hi: lo + (hi - lo) * torch.rand(n, generator=generator)
    k, c = torch.exp(u(math.log(60.0), math.log(400.0))), u(0.5, 7.0)
    x0, v0 = u(0.4, 1.4), u(-6.0, 6.0)
    with torch.no_grad():
        clean = SuspensionSimulator(substeps=8)(k, c, x0, v0)
    return clean + noise * torch.randn(clean.shape, generator=generator), (k, c)
