"""Simulated impression log; yields one event at a time, in time order."""
import numpy as np

SITES = [f"site{i}" for i in range(30)]
ADS = [f"ad{i}" for i in range(50)]
DEVICES = ["phone", "tablet", "desktop"]


def stream(n, seed=0):
    rng = np.random.default_rng(seed)
    ws, wa = rng.normal(0, 0.9, len(SITES)), rng.normal(0, 0.9, len(ADS))
    wd = np.array([0.4, 0.0, -0.5])
    us, ua = rng.normal(0, 0.7, (len(SITES), 2)), rng.normal(0, 0.7, (len(ADS), 2))
    for t in range(n):
        s, a, d, hour = rng.integers(len(SITES)), rng.integers(len(ADS)), rng.integers(3), (t // 200) % 24
        z = -0.8 + ws[s] + wa[a] + wd[d] + us[s] @ ua[a] + 0.4 * np.sin(2 * np.pi * hour / 24)
        yield {"site": SITES[s], "ad": ADS[a], "device": DEVICES[d], "hour": hour}, int(rng.random() < 1 / (1 + np.exp(-z)))
