"""Create listings.csv (rental listings: three categories, three numbers, price)."""
import csv

import numpy as np

rng = np.random.default_rng(23)
N = 4000
city, kind, heat = rng.integers(0, 12, N), rng.integers(0, 6, N), rng.integers(0, 4, N)
area, age, dist = rng.gamma(6, 12, N), rng.uniform(0, 80, N), rng.gamma(2, 3, N)
base = rng.normal(size=12) * 0.3
pair = rng.normal(size=(12, 6)) * 0.7
hk = rng.normal(size=(4, 6)) * 0.4
per_m2 = 9 * np.exp(base[city] + 0.4 * pair[city, kind])
price = per_m2 * area * (1 - 0.004 * age) * np.exp(-0.05 * dist * (kind % 2)) * np.exp(0.5 * hk[heat, kind])
price *= np.exp(rng.normal(size=N) * 0.08)
with open("listings.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["city", "kind", "heating", "area", "age", "distance", "price"])
    for r in zip(city, kind, heat, area.round(1), age.round(1), dist.round(2), price.round(0)):
        w.writerow(r)
