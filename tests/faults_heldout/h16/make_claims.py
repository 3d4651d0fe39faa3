"""Writes claims.npz: insurance claims, about 4 % of them flagged by investigators."""
import numpy as np

rng = np.random.default_rng(77)
n = 12000
amount = rng.lognormal(7.0, 0.9, n)
days = rng.exponential(40, n)
age = rng.uniform(18, 80, n)
prior = rng.poisson(0.6, n)
region = rng.integers(0, 12, n)
kind = rng.integers(0, 5, n)
noise = rng.normal(size=(n, 3))
rw, kw = rng.normal(0, 0.6, 12), np.array([0.0, 0.8, -0.6, 1.1, -0.4])
z = 1.5 * (np.log(amount) - 7.0) - 0.03 * days + 0.8 * prior + rw[region] + kw[kind] \
    + 3.0 * ((kind == 3) & (days < 15)) - 0.07 * np.abs(age - 45)
z = 1.4 * z - 4.5
y = (rng.uniform(size=n) < 1 / (1 + np.exp(-z))).astype(np.int64)
print("rate", y.mean())
np.savez("claims.npz", numeric=np.column_stack([amount, days, age, prior, noise]).astype(np.float32),
         region=region, kind=kind, flagged=y)
