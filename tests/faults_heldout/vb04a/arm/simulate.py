import numpy as np
import torch


def sample_poses(links, samples, sensor_noise, seed):
    """Joint angles (rad) and the gripper position/heading they lead to."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi * 0.75, np.pi * 0.75, size=(samples, len(links)))
    absolute = np.cumsum(angles, axis=1)
    x = (np.cos(absolute) * links).sum(1)
    y = (np.sin(absolute) * links).sum(1)
    target = np.stack([x, y], axis=1) + rng.normal(0, sensor_noise, size=(samples, 2))
    inputs = angles / (np.pi * 0.75) * np.sqrt(3)
    return torch.tensor(inputs, dtype=torch.float32), torch.tensor(target, dtype=torch.float32)
