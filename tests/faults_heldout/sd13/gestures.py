"""Synthetic six-axis wrist recordings of eight gestures."""
import numpy as np
import torch
from torch.utils.data import Dataset

GESTURES = ["wave", "circle_cw", "circle_ccw", "push", "pull", "twist", "shake", "knock"]
STEPS = 40


def _rotation(rng, sigma):
    a, b, c = rng.normal(0, sigma, 3)
    rx = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    ry = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    rz = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return rx @ ry @ rz


def record(gesture, rng):
    t = np.linspace(0, 1, STEPS)
    acc, gyr = np.zeros((3, STEPS)), np.zeros((3, STEPS))
    f, ph = rng.uniform(1.5, 3.0), rng.uniform(0, 2 * np.pi)
    c, w = rng.uniform(0.35, 0.65), rng.uniform(0.08, 0.16)
    bump = np.exp(-((t - c) ** 2) / (2 * w ** 2))
    dbump = -(t - c) / w * bump
    if gesture == "wave":
        acc[0], gyr[2] = np.sin(2 * np.pi * f * t + ph), 0.8 * np.cos(2 * np.pi * f * t + ph)
    elif gesture in ("circle_cw", "circle_ccw"):
        s = 1 if gesture == "circle_cw" else -1
        acc[0], acc[1] = np.cos(2 * np.pi * f * t + ph), s * np.sin(2 * np.pi * f * t + ph)
    elif gesture == "push":
        acc[1] = 1.6 * dbump
    elif gesture == "pull":
        acc[1] = -1.6 * dbump
    elif gesture == "twist":
        gyr[1] = 1.8 * bump * rng.choice([-1, 1])
    elif gesture == "shake":
        acc[0], acc[2] = np.sin(5 * np.pi * f * t + ph), 0.7 * np.sin(5 * np.pi * f * t + ph + 0.5)
    else:
        for k in range(3):
            acc[2] += 1.5 * np.exp(-((t - c - 0.12 * (k - 1)) ** 2) / 0.0012)
    rot = _rotation(rng, 0.35)
    x = np.concatenate([rot @ acc, rot @ gyr]) * rng.uniform(0.6, 1.4)
    return x + rng.normal(0, 0.45, x.shape)


class GestureSet(Dataset):
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        labels = rng.integers(0, len(GESTURES), count)
        self.x = torch.tensor(np.stack([record(GESTURES[k], rng) for k in labels]), dtype=torch.float32)
        self.y = torch.tensor(labels)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
