"""Synthetic play log: users with mixed tastes, items with genres and popularity."""
import csv

import numpy as np

rng = np.random.default_rng(9)
U, I, K = 300, 240, 6
users = rng.dirichlet(np.full(K, 0.25), U)
items = rng.dirichlet(np.full(K, 0.15), I)
pop = rng.normal(0, 0.6, I)
with open("plays.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["user", "item", "t"])
    for u in range(U):
        s = 7 * users[u] @ items.T + pop + rng.gumbel(size=I)
        for t, i in enumerate(rng.permutation(np.argsort(-s)[:rng.integers(22, 36)])):
            w.writerow([u, i, t])
