"""Simulates a table of shop orders; 'merchant' has many levels, most with a handful of rows."""
import csv
import numpy as np

r = np.random.default_rng(41)
n, merchants = 7000, 1800
risk = 0.7 * r.normal(size=merchants)
m = r.integers(0, merchants, n)
amount = r.lognormal(3, 0.8, n)
hour = r.integers(0, 24, n)
age = r.exponential(300, n)
items = r.poisson(2, n) + 1
z = -0.2 + risk[m] + 0.9 * (np.log(amount) - 3) + 0.8 * np.cos(2 * np.pi * hour / 24) - 0.5 * (np.log1p(age) - 5) + 0.25 * (items - 3)
late = (r.random(n) < 1 / (1 + np.exp(-z))).astype(int)
with open("orders.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["merchant", "amount", "hour", "account_age", "items", "returned"])
    for row in zip(m, amount.round(2), hour, age.round(1), items, late):
        w.writerow(row)
