"""Writes listings.csv: area, rooms, age, distance to the centre, floor, price in euros."""
import numpy as np

rng = np.random.default_rng(21)
n = 3000
area = rng.gamma(9, 9, n) + 18
rooms = np.clip(np.round(area / 28 + rng.normal(0, 0.6, n)), 1, 8)
age = rng.integers(0, 110, n)
dist = rng.gamma(2, 3, n)
floor = rng.integers(0, 9, n)
price = 3800 * area * np.exp(-0.06 * dist) + 9000 * rooms - 420 * age + 2500 * floor + 24000
price = price * np.exp(rng.normal(0, 0.06, n))
np.savetxt("listings.csv", np.column_stack([area, rooms, age, dist, floor, price]), delimiter=",", fmt="%.1f",
           header="area,rooms,age,dist,floor,price", comments="")
