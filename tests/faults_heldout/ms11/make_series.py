"""Writes load.npz: hourly electricity load of five sites (kWh)."""
from pathlib import Path

import numpy as np


def main():
    rng = np.random.default_rng(0)
    hours = np.arange(24 * 110)
    sites = []
    for level in (35.0, 120.0, 260.0, 60.0, 900.0):
        peak = rng.uniform(7, 19)
        day = 1 + 0.35 * np.cos(2 * np.pi * (hours % 24 - peak) / 24) + 0.12 * np.cos(4 * np.pi * (hours % 24 - peak) / 24)
        week = np.where((hours // 24) % 7 >= 5, rng.uniform(0.6, 0.8), 1.0)
        noise = np.zeros(len(hours))
        for t in range(1, len(hours)):
            noise[t] = 0.9 * noise[t - 1] + rng.normal(0, 0.02)
        sites.append(level * day * week * np.exp(noise + rng.normal(0, 0.015, len(hours))))
    np.savez_compressed(Path(__file__).parent / "load.npz", load=np.stack(sites).astype(np.float32))


if __name__ == "__main__":
    main()
