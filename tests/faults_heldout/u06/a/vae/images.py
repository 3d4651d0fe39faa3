import numpy as np
import torch


def load_split(path):
    """Images are stored as standardised float arrays, N x 8 x 8."""
    return torch.from_numpy(np.load(path)).float().unsqueeze(1)
