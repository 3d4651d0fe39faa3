import torch


def normalised_adjacency(users, items, n_users, n_items):
    """Symmetric D^-1/2 A D^-1/2 of the bipartite graph."""
    n = n_users + n_items
    r = torch.cat([users, items + n_users])
    c = torch.cat([items + n_users, users])
    deg = torch.bincount(r, minlength=n).clamp(min=1).float()
    w = (deg[r] * deg[c]).rsqrt()
    return torch.sparse_coo_tensor(torch.stack([r, c]), w, (n, n)).coalesce()


class Propagator(torch.nn.Module):
    def __init__(self, adj, n_users, n_items, dim, hops):
        super().__init__()
        self.adj, self.n_users, self.hops = adj, n_users, hops
        self.table = torch.nn.Parameter(0.1 * torch.randn(n_users + n_items, dim))

    def forward(self):
        out = [self.table]
        for _ in range(self.hops):
            out.append(torch.sparse.mm(self.adj, out[-1]))
        z = torch.stack(out).mean(0)
        return z[:self.n_users], z[self.n_users:]
