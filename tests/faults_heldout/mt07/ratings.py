import numpy as np
import torch


def synthesize(n_users, n_films, seed, per_user=55):
    g = np.random.default_rng(seed)
    taste = g.normal(0, 1, (n_users, 4))
    content = g.normal(0, 1, (n_films, 4)) * np.array([0.6, 0.45, 0.35, 0.3])
    bu, bf = g.normal(0, 0.35, n_users), g.normal(0, 0.5, n_films)
    rows = []
    pop = np.exp(g.normal(0, 0.5, n_films))
    pop /= pop.sum()
    for u in range(n_users):
        n = max(25, int(g.poisson(per_user)))
        for f in g.choice(n_films, n, replace=False, p=pop):
            r = 3.4 + bu[u] + bf[f] + taste[u] @ content[f] + g.normal(0, 0.3)
            rows.append((u, f, r))
    rows = np.array(rows)
    g.shuffle(rows)
    cut = int(0.9 * len(rows))

    def pack(a):
        return torch.tensor(a[:, 0]).long(), torch.tensor(a[:, 1]).long(), torch.tensor(a[:, 2]).float()

    return pack(rows[:cut]), pack(rows[cut:])
