"""Writes the delivery table once; train.py reads it."""
import sys
from pathlib import Path

import numpy as np
import pandas as pd

rng = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 17)
n = 3000
depot = rng.choice(["north", "south", "harbor", "airport", "old town"], n, p=[.3, .25, .2, .15, .1])
vehicle = rng.choice(["van", "bike", "truck"], n, p=[.5, .3, .2])
dist = rng.gamma(2.0, 4.0, n)
weight = rng.lognormal(1.0, 0.6, n)
hour = rng.integers(6, 22, n)
rain = rng.random(n) < 0.25
base = pd.Series(depot).map({"north": 8, "south": 12, "harbor": 18, "airport": 10, "old town": 22}).to_numpy()
pace = pd.Series(vehicle).map({"van": 2.4, "bike": 3.6, "truck": 2.9}).to_numpy()
rush = np.exp(-0.5 * ((hour - 8.5) / 1.5) ** 2) + np.exp(-0.5 * ((hour - 17.5) / 1.5) ** 2)
mu = base + pace * dist * (1 + 0.5 * rush) + 1.2 * weight * (vehicle == "bike") + 5 * rain
minutes = mu + rng.gamma(2.0, 0.08 * mu + 1.0, n)
df = pd.DataFrame(dict(depot=depot, vehicle=vehicle, distance_km=dist.round(2), weight_kg=weight.round(2),
                       hour=hour, rain=np.where(rain, 1.0, 0.0), minutes=minutes.round(1)))
df.loc[rng.random(n) < 0.12, "weight_kg"] = np.nan
df.loc[rng.random(n) < 0.08, "rain"] = np.nan
df.to_csv(Path(__file__).parent / "deliveries.csv", index=False)
