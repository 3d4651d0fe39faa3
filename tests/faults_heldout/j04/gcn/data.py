import torch


def planted_partition(n=1600, k=5, p_in=0.012, p_out=0.0025, d=24, seed=0):
    """Stochastic block model with weakly informative node features."""
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, k, (n,), generator=g)
    same = y[:, None] == y[None]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu((torch.rand(n, n, generator=g) < prob).float(), diagonal=1)
    a = upper + upper.T + torch.eye(n)
    inv = a.sum(1).rsqrt()
    a_hat = (inv[:, None] * a * inv[None]).to_sparse_coo().coalesce()
    centre = torch.randn(k, d, generator=g) * 0.35
    x = centre[y] + torch.randn(n, d, generator=g)
    perm = torch.randperm(n, generator=g)
    return a_hat, x, y, perm[:400], perm[400:800], perm[800:]
