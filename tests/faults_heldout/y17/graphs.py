"""Random contact graphs: does the graph contain two communities or one?"""
import torch


def sample_graph(g, n_max, two):
    n = int(torch.randint(14, n_max + 1, (1,), generator=g))
    side = torch.zeros(n, dtype=torch.long)
    if two:
        side[torch.randperm(n, generator=g)[: n // 2]] = 1
        p_in, p_out = 0.42, 0.06
    else:
        p_in = p_out = 0.24
    same = side[:, None] == side[None]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    a = (torch.rand(n, n, generator=g) < prob).float().triu(1)
    adj = torch.zeros(n_max, n_max)
    adj[:n, :n] = a + a.T
    mask = torch.zeros(n_max)
    mask[:n] = 1
    deg = adj.sum(1)
    tri = torch.diagonal(torch.linalg.matrix_power(adj, 3)) / 2
    quad = torch.diagonal(torch.linalg.matrix_power(adj, 4)) / 50
    feat = torch.stack([deg / 5 - 0.8, tri / (deg * (deg - 1) / 2).clamp(min=1), quad - 0.8, torch.ones(n_max)], 1)
    return adj, feat * mask[:, None], mask


def build(count, n_max, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 2, (count,), generator=g)
    parts = [sample_graph(g, n_max, bool(t)) for t in y]
    adj, feat, mask = (torch.stack(p) for p in zip(*parts))
    return torch.utils.data.TensorDataset(adj, feat, mask, y)
