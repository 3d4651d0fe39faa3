import numpy as np
import torch
from torch.utils.data import Dataset


def load_split(path, name):
    with np.load(path) as z:
        packed, label = z[name], z[name + "_type"]
    px = np.stack([packed >> 4, packed & 15], axis=-1).reshape(len(packed), 12, 12)
    return px.astype(np.float32) / 15.0, label.astype(np.int64)


class PatchDataset(Dataset):
    def __init__(self, pixels, labels, mean, std, flip=False):
        self.x = torch.from_numpy((pixels - mean) / std).unsqueeze(1)
        self.y = torch.from_numpy(labels)
        self.flip = flip

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.flip and torch.rand(()) < 0.5:
            x = x.flip(-1)
        return x, self.y[i]
