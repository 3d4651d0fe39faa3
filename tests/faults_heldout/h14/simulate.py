"""Writes ratings.csv (user, item, rating)."""
import numpy as np

rng = np.random.default_rng(31)
U, I, K, N = 500, 300, 4, 40_000
bu, bi = 0.35 * rng.normal(size=U), 0.4 * rng.normal(size=I)
p, q = rng.normal(size=(U, K)), rng.normal(size=(I, K))
pop = rng.dirichlet(np.full(I, 0.8))
pop = 0.5 * pop + 0.5 / I
pairs = set()
while len(pairs) < N:
    u, i = rng.integers(0, U, 4000), rng.choice(I, 4000, p=pop)
    pairs.update(zip(u.tolist(), i.tolist()))
pairs = np.array(sorted(pairs))
rng.shuffle(pairs)
pairs = pairs[:N]
u, i = pairs.T
r = 3.4 + bu[u] + bi[i] + 0.35 * (p[u] * q[i]).sum(1) + 0.35 * rng.normal(size=len(u))
r = np.clip(np.round(r * 2) / 2, 0.5, 5)
with open("ratings.csv", "w") as f:
    f.write("user,item,rating\n")
    f.writelines(f"{a},{b},{c}\n" for a, b, c in zip(u, i, r))
