import torch
import torch.nn.functional as F


def nt_xent(za, zb, temperature):
    z = F.normalize(torch.cat([za, zb]), dim=1)
    sim = z @ z.T / temperature
    n = len(za)
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    partner = torch.arange(2 * n).roll(n)
    return F.cross_entropy(sim, partner)
