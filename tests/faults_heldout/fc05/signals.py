import numpy as np
import torch

CLASSES = ("normal", "misalign", "bearing", "looseness", "rub")


def one_record(kind, length, rng):
    t = np.arange(length) / 256.0
    f0 = rng.uniform(8, 12)
    ph = rng.uniform(0, 2 * np.pi, 4)
    x = np.sin(2 * np.pi * f0 * t + ph[0])
    if kind == "misalign":
        x += 0.6 * np.sin(4 * np.pi * f0 * t + ph[1])
    elif kind == "bearing":
        pulses = (np.sin(2 * np.pi * 3.6 * f0 * t + ph[2]) > 0.9).astype(float)
        x += 0.9 * pulses * np.sin(2 * np.pi * 80 * t)
    elif kind == "looseness":
        for k in (0.5, 1.5, 2.5):
            x += 0.3 * np.sin(2 * np.pi * k * f0 * t + ph[3])
    elif kind == "rub":
        x = np.clip(x, -0.55, 1.0)
    x *= rng.uniform(0.7, 1.4)
    return x + 0.35 * rng.normal(size=length)


def recording_campaign(n_per_class, length=256, seed=0):
    """Records of one test bench, one machine state after the other."""
    rng = np.random.default_rng(seed)
    xs, ys = [], []
    for label, kind in enumerate(CLASSES):
        for _ in range(n_per_class):
            xs.append(one_record(kind, length, rng))
            ys.append(label)
    x = torch.tensor(np.stack(xs), dtype=torch.float32).unsqueeze(1)
    return x, torch.tensor(ys)
