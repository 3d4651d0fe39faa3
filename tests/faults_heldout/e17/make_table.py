import numpy as np

rng = np.random.default_rng(5)
n = 3000
hour = rng.integers(0, 24, n)
day = rng.integers(0, 365, n)
ts = 1_700_000_000 + day * 86400 + hour * 3600 + rng.integers(0, 3600, n)
temp = 12 + 9 * np.sin(2 * np.pi * (day - 100) / 365) + 3 * np.sin(2 * np.pi * (hour - 9) / 24) + rng.normal(0, 2.5, n)
occ = np.clip(rng.normal(40, 18, n) * (1 + 0.4 * ((hour > 8) & (hour < 18))), 0, None)
area = rng.choice([650, 900, 1400, 2100], n)
wind = rng.gamma(2.0, 2.0, n)
load = (0.3 * np.abs(temp - 18) ** 1.3 + 0.08 * occ + 0.002 * area + 0.25 * wind * (temp < 10)
        + 2.0 * ((hour > 7) & (hour < 20)) + rng.normal(0, 0.6, n))
np.savetxt("meter.csv", np.column_stack([ts, hour, temp, occ, area, wind, load]), delimiter=",", fmt=["%d", "%d", "%.2f", "%.1f", "%d", "%.2f", "%.3f"],
           header="ts,hour,temp,occupancy,area,wind,load", comments="")
