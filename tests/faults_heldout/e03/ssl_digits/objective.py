import torch
import torch.nn.functional as F


def nt_xent(za, zb, tau=0.2):
    n = za.size(0)
    z = torch.cat([za, zb])
    sim = z @ z.t() / tau
    sim.fill_diagonal_(float("-inf"))
    partner = torch.arange(2 * n).roll(n)
    return F.cross_entropy(sim, partner)
