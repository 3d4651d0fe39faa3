import numpy as np
import torch


def load_split(path, split, grades):
    """-> signals (N, 1, T) float, rank of the wear grade (N,) long"""
    f = np.load(path)
    keep = f["split"] == split
    index = {g: i for i, g in enumerate(grades)}
    x = torch.from_numpy(f["signal"][keep].astype(np.float32) / 32.0).unsqueeze(1)
    y = torch.tensor([index[g] for g in f["grade"][keep].tolist()])
    return x, y
