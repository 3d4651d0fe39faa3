"""Two masses coupled by an anharmonic spring: simulation of (q, p) and of the exact time derivatives."""
import torch


def hamiltonian(q, p):
    stretch = q[..., 1] - q[..., 0]
    potential = 0.5 * (q ** 2).sum(-1) + 0.6 * stretch ** 2 + 0.25 * stretch ** 4
    return 0.5 * (p[..., 0] ** 2 + p[..., 1] ** 2 / 1.5) + potential


def field(q, p):
    stretch = q[..., 1] - q[..., 0]
    pull = 1.2 * stretch + stretch ** 3
    dq = torch.stack([p[..., 0], p[..., 1] / 1.5], -1)
    dp = torch.stack([-q[..., 0] + pull, -q[..., 1] - pull], -1)
    return dq, dp


def simulate(n, samples, dt=0.02, every=10, generator=None):
    """Velocity Verlet from random starts; returns states and derivatives, [n, samples, 4] both."""
    q = torch.rand(n, 2, generator=generator, dtype=torch.float64) * 2.4 - 1.2
    p = torch.rand(n, 2, generator=generator, dtype=torch.float64) * 2.4 - 1.2
    states, rates = [], []
    for k in range(samples * every):
        if k % every == 0:
            dq, dp = field(q, p)
            states.append(torch.cat([q, p], -1))
            rates.append(torch.cat([dq, dp], -1))
        p = p + 0.5 * dt * field(q, p)[1]
        q = q + dt * field(q, p)[0]
        p = p + 0.5 * dt * field(q, p)[1]
    return torch.stack(states, 1).float(), torch.stack(rates, 1).float()
