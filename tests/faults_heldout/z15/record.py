"""Write station.csv: hourly temperature, humidity, wind and load; the logger drops some readings."""
import csv

import numpy as np

rng = np.random.default_rng(44)
n = 3000
h = np.arange(n)
temp = 12 + 8 * np.sin(2 * np.pi * h / 24 - 2) + 4 * np.sin(2 * np.pi * h / 700) + rng.normal(size=n)
hum = 65 - 1.2 * (temp - 12) + rng.normal(size=n) * 5
wind = np.abs(rng.normal(size=n) * 2 + 4)
load = 300 + 6 * np.abs(temp - 16) + 40 * np.sin(2 * np.pi * h / 24 - 1) + rng.gamma(2, 6, n)
cols = [temp.round(1), hum.round(0), wind.round(1), load.round(1)]
lost = rng.random((n, 3)) < np.array([0.004, 0.012, 0.006])
with open("station.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["hour", "temperature", "humidity", "wind", "load"])
    for k in range(n):
        w.writerow([k] + ["" if lost[k, j] else cols[j][k] for j in range(3)] + [cols[3][k]])
