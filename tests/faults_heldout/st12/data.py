import torch


def screen(seed=50, drugs=80, lines=60, rank=2, observed=0.65):
    """Dose response of cell lines to drugs: an incomplete table of log IC50 values."""
    g = torch.Generator().manual_seed(seed)
    u = torch.randn(drugs, rank, generator=g)
    v = torch.randn(lines, rank, generator=g)
    table = (u @ v.T) / rank ** 0.5
    table = table + 0.6 * torch.randn(drugs, 1, generator=g) + 0.4 * torch.randn(1, lines, generator=g)
    table = table + 0.15 * torch.randn(drugs, lines, generator=g)
    seen = torch.rand(drugs, lines, generator=g) < observed
    d, c = seen.nonzero(as_tuple=True)
    order = torch.randperm(len(d), generator=g)
    d, c = d[order], c[order]
    return d, c, table[d, c]
