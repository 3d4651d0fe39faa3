import numpy as np
import torch
from torch.utils.data import Dataset


class Cells(Dataset):
    def __init__(self, images, masks, mean, std, flip):
        self.images, self.masks = images, masks
        self.mean, self.std, self.flip = mean, std, flip

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x = torch.from_numpy((self.images[i] - self.mean) / self.std).unsqueeze(0)
        m = torch.from_numpy(self.masks[i]).unsqueeze(0)
        if self.flip:
            for axis in (1, 2):
                if torch.rand(()) < 0.5:
                    x, m = x.flip(axis), m.flip(axis)
        return x, m


def load(path, n_val, n_test):
    z = np.load(path)
    images = z["image"].astype(np.float32)
    masks = np.unpackbits(z["mask"], axis=-1)[..., : images.shape[2]].astype(np.float32)
    n_train = len(images) - n_val - n_test
    mean, std = images[:n_train].mean(), images[:n_train].std()
    cuts = [(0, n_train, True), (n_train, n_train + n_val, False), (n_train + n_val, len(images), False)]
    return [Cells(images[a:b], masks[a:b], mean, std, flip) for a, b, flip in cuts]
