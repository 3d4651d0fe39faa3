"""Odometry: a clip of wheel speed and yaw rate -> displacement of the robot since the start of the clip."""
import numpy as np
import torch

LENGTHS = (8, 10, 12, 15, 18, 22)
DT = 0.1


def simulate(n, ticks, rng):
    speed = np.clip(rng.uniform(0.4, 2.0, (n, 1)) + np.cumsum(rng.normal(0, 0.12, (n, ticks)), 1), 0, 3)
    yaw = rng.uniform(-1.5, 1.5, (n, 1)) + np.cumsum(rng.normal(0, 0.25, (n, ticks)), 1)
    heading = np.cumsum(yaw * DT, 1)
    dx = (speed * np.cos(heading) * DT).sum(1)
    dy = (speed * np.sin(heading) * DT).sum(1)
    obs = np.stack([speed + rng.normal(0, 0.03, speed.shape), yaw + rng.normal(0, 0.05, yaw.shape)], 2)
    return obs.astype(np.float32), np.stack([dx, dy], 1).astype(np.float32)


class ClipStore:
    """Clips are kept by length so that a batch never needs padding."""

    def __init__(self, per_length, seed, stats=None):
        rng = np.random.default_rng(seed)
        groups = [simulate(per_length, ticks, rng) for ticks in LENGTHS]
        if stats is None:
            flat = np.concatenate([x.reshape(-1, 2) for x, _ in groups])
            disp = np.concatenate([y for _, y in groups])
            stats = (flat.mean(0), flat.std(0), disp.mean(0), disp.std(0))
        self.stats = stats
        mx, sx, my, sy = stats
        self.groups = [(torch.from_numpy((x - mx) / sx), torch.from_numpy((y - my) / sy)) for x, y in groups]

    def batches(self, batch_size, generator=None):
        plan = []
        for g, (x, _) in enumerate(self.groups):
            order = torch.randperm(len(x), generator=generator) if generator is not None else torch.arange(len(x))
            plan += [(g, rows) for rows in order.split(batch_size)]
        if generator is not None:
            plan = [plan[i] for i in torch.randperm(len(plan), generator=generator)]
        for g, rows in plan:
            x, y = self.groups[g]
            yield x[rows], y[rows]
