import numpy as np
import torch
from torch.utils.data import Dataset

MEAN, STD = 0.305, 0.376


class WheelCrops(Dataset):
    def __init__(self, path, split):
        with np.load(path) as z:
            pick = z["split"] == {"train": 0, "val": 1}[split]
            self.pixels = z["crops"][pick]
            self.labels = z["digit"][pick]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = torch.from_numpy(self.pixels[i]).float().div(255.0)
        img = (img - MEAN) / STD
        return img[None], int(self.labels[i])
