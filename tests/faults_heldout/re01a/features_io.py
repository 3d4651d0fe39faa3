import numpy as np
import torch
from torch.utils.data import TensorDataset


def load_splits(path):
    raw = np.load(path)
    frames = torch.from_numpy(raw["frames"].astype("float32")).transpose(1, 2).contiguous()
    word = torch.from_numpy(raw["word"].astype("int64"))
    held = torch.from_numpy(raw["split"] == 1)

    # per-band statistics come from the training part only
    mu = frames[~held].mean(dim=(0, 2), keepdim=True)
    sd = frames[~held].std(dim=(0, 2), keepdim=True)
    frames = (frames - mu) / sd
    return TensorDataset(frames[~held], word[~held]), TensorDataset(frames[held], word[held])
