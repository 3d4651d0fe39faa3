"""Forward kinematics of a planar arm: joint angles -> tool position and distance to the base."""
import numpy as np


def tool_pose(angles, lengths):
    total = np.cumsum(angles, axis=1)
    x = (np.asarray(lengths) * np.cos(total)).sum(axis=1)
    y = (np.asarray(lengths) * np.sin(total)).sum(axis=1)
    return np.stack([x, y, np.hypot(x, y)], axis=1)


def sample(n, lengths, limit, noise, rng):
    angles = rng.uniform(-limit, limit, size=(n, len(lengths)))
    pose = tool_pose(angles, lengths)
    pose += rng.normal(0, noise, pose.shape)
    return (angles / limit).astype(np.float32), pose.astype(np.float32)
