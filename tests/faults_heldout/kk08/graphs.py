"""Random community graph with noisy node features."""
import torch


def community_graph(n=420, k=4, p_in=0.045, p_out=0.006, n_feat=16, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(k, (n,), generator=g)
    same = y[:, None] == y[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = (torch.rand(n, n, generator=g) < prob).triu(1)
    adj = (upper | upper.T).float()
    centers = torch.randn(k, n_feat, generator=g)
    x = 0.7 * centers[y] + 1.3 * torch.randn(n, n_feat, generator=g)
    perm = torch.randperm(n, generator=g)
    split = {"train": perm[:160], "val": perm[160:260], "test": perm[260:]}
    return x, adj, y, split


def normalize(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]
