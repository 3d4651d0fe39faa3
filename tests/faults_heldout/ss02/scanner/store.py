import numpy as np
import torch
from torch.utils.data import TensorDataset


def load_split(path, part, mean, std):
    z = np.load(path)
    x = torch.from_numpy(z[f"{part}_x"]).float().div_(255.0).sub_(mean).div_(std).unsqueeze(1)
    y = torch.from_numpy(z[f"{part}_y"]).long()
    return TensorDataset(x, y)
