import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class CellImages(Dataset):
    def __init__(self, image, mask, mean, std, flip=False):
        self.image = (torch.from_numpy(image.astype(np.float32)) - mean) / std
        self.mask = torch.from_numpy(mask.astype(np.float32))
        self.flip = flip

    def __len__(self):
        return len(self.image)

    def __getitem__(self, i):
        x, m = self.image[i], self.mask[i]
        if self.flip:
            for dim in (0, 1):
                if torch.rand(()) < 0.5:
                    x, m = x.flip(dim), m.flip(dim)
        return x[None], m[None]


def loaders(path, n_val, batch_size):
    z = np.load(path)
    image = z["image"]
    mask = np.unpackbits(z["mask"], axis=1)[:, : image[0].size].reshape(image.shape)
    tr, va = image[n_val:], image[:n_val]
    mean, std = float(tr.mean()), float(tr.std())
    train = CellImages(tr, mask[n_val:], mean, std, flip=True)
    val = CellImages(va, mask[:n_val], mean, std)
    return DataLoader(train, batch_size, shuffle=True), DataLoader(val, 30)
