import numpy as np
import torch
from torch.utils.data import Dataset


def render_targets(joints, size, sigma):
    """(K, 2) pixel coordinates -> (K, size, size) gaussian bumps."""
    grid = torch.arange(size, dtype=torch.float32)
    dx = (grid[None, :] - joints[:, :1]) ** 2
    dy = (grid[None, :] - joints[:, 1:]) ** 2
    return torch.exp(-(dx[:, None, :] + dy[:, :, None]) / (2 * sigma ** 2))


class ArmFrames(Dataset):
    def __init__(self, path, indices, sigma=1.5):
        z = np.load(path)
        frames = torch.from_numpy(z["frames"][indices]).float() / 15
        self.frames = ((frames - 0.35) / 0.22).unsqueeze(1)
        self.joints = torch.from_numpy(z["joints"][indices])
        size = frames.shape[-1]
        self.targets = torch.stack([render_targets(j, size, sigma) for j in self.joints])

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        return self.frames[i], self.targets[i], self.joints[i]
