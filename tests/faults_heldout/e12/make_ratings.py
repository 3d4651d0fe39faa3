import numpy as np

rng = np.random.default_rng(42)
U, I, K, N = 800, 500, 4, 42000
pu, qi = rng.normal(0, 0.45, (U, K)), rng.normal(0, 0.9, (I, K))
bu, bi = rng.normal(0, 0.4, U), rng.normal(0, 0.5, I)
pop = 1 / (np.arange(I) + 20.0)
pairs = set()
while len(pairs) < N:
    u = rng.integers(0, U, 20000)
    i = rng.choice(I, 20000, p=pop / pop.sum())
    pairs.update(zip(u.tolist(), i.tolist()))
pairs = np.array(sorted(pairs))
pairs = pairs[rng.permutation(len(pairs))[:N]]
u, i = pairs.T
r = 3.4 + bu[u] + bi[i] + (pu[u] * qi[i]).sum(1) + rng.normal(0, 0.6, N)
r = np.clip(np.round(r * 2) / 2, 0.5, 5.0)
np.savetxt("ratings.csv", np.column_stack([u, i, r]), fmt=["%d", "%d", "%.1f"], delimiter=",", header="user,item,rating", comments="")
