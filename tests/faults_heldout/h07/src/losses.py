import torch
import torch.nn.functional as F


def nt_xent(za, zb, temperature):
    n = len(za)
    z = F.normalize(torch.cat([za, zb]), dim=1)
    sim = z @ z.t() / temperature
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    partner = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, partner)
