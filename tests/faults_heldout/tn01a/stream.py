"""Simulated wearable recordings: 3-axis accelerometer + 3-axis gyroscope at 64 Hz."""
import numpy as np
import torch

ACTIVITIES = ["sit", "stand", "walk", "run", "stairs_up", "stairs_down", "cycle"]

# cadence (Hz), accel amplitude, gyro amplitude, second harmonic, gravity tilt
PROFILE = {
    "sit":         (0.25, 0.05, 0.05, 0.1, 0.55),
    "stand":       (0.30, 0.06, 0.06, 0.1, 0.20),
    "walk":        (1.80, 0.55, 0.60, 0.5, 0.20),
    "run":         (2.70, 1.30, 1.10, 0.4, 0.25),
    "stairs_up":   (1.55, 0.55, 0.75, 0.8, 0.35),
    "stairs_down": (1.90, 0.70, 0.70, 0.9, 0.10),
    "cycle":       (1.30, 0.35, 0.70, 0.1, 0.60),
}


class Wearer:
    def __init__(self, rng):
        self.tempo = rng.normal(1.0, 0.08)
        self.power = rng.normal(1.0, 0.15)
        self.tilt = rng.normal(0.0, 0.03)
        self.phase = rng.normal(0, 0.5, 6)
        self.gain = rng.normal(1.0, 0.15, 6)

    def record(self, name, n, window, rng):
        f, acc, gyr, harm, tilt = PROFILE[name]
        t = np.arange(window) / 64.0
        f = f * self.tempo * rng.normal(1, 0.04, (n, 1, 1))
        amp = np.array([acc] * 3 + [gyr] * 3) * self.gain * self.power
        start = rng.uniform(0, 2 * np.pi, (n, 1, 1))
        arg = 2 * np.pi * f * t + start + self.phase[:, None]
        x = amp[:, None] * (np.sin(arg) + harm * np.sin(2 * arg + 0.7))
        angle = tilt + self.tilt + rng.normal(0, 0.05, (n, 1))
        x[:, 0] += np.sin(angle)
        x[:, 2] += np.cos(angle)
        x += rng.normal(0, 0.15, x.shape)
        return x.astype(np.float32)


class ActivityStream:
    """Gateway that receives windows from several wearers at a time."""

    def __init__(self, cfg, seed):
        self.cfg = cfg
        self.rng = np.random.default_rng(seed)
        self.wearers = [Wearer(self.rng) for _ in range(cfg["users"])]

    def __iter__(self):
        c = self.cfg
        share = c["batch"] // c["active"]
        for step in range(c["steps"]):
            if step % c["segment"] == 0:
                who = self.rng.choice(len(self.wearers), c["active"], replace=False)
                act = self.rng.integers(len(ACTIVITIES), size=c["active"])
            x = [self.wearers[w].record(ACTIVITIES[a], share, c["window"], self.rng) for w, a in zip(who, act)]
            yield torch.from_numpy(np.concatenate(x)), torch.from_numpy(act.repeat(share))


def unseen_wearers(cfg, n, seed):
    rng = np.random.default_rng(seed + 1000)
    xs, ys = [], []
    for _ in range(n // 10):
        act = int(rng.integers(len(ACTIVITIES)))
        xs.append(Wearer(rng).record(ACTIVITIES[act], 10, cfg["window"], rng))
        ys += [act] * 10
    return torch.from_numpy(np.concatenate(xs)), torch.tensor(ys)
