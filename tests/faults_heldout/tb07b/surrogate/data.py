import math

import numpy as np
import torch
from torch.utils.data import TensorDataset


def load_arm_data(path, val_share=0.2):
    """Joint angles (rad) -> gripper position (m), from the motion capture rig."""
    blob = np.load(path)
    angles = torch.tensor(blob["angles"], dtype=torch.float32) / (math.pi / 2)
    pos = torch.tensor(blob["gripper"], dtype=torch.float32)
    n_val = int(len(angles) * val_share)
    mean, std = pos[n_val:].mean(0), pos[n_val:].std(0)
    pos = (pos - mean) / std
    return TensorDataset(angles[n_val:], pos[n_val:]), TensorDataset(angles[:n_val], pos[:n_val])
