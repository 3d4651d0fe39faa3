import numpy as np
import torch


def load(path):
    z = np.load(path)
    img = torch.from_numpy(z["image"].astype(np.float32))[:, None]
    mask = torch.from_numpy(np.unpackbits(z["mask"], axis=-1).astype(np.float32))[:, None]
    k = int(z["n_train"])
    mu, sd = img[:k].mean(), img[:k].std()
    img = (img - mu) / sd
    return (img[:k], mask[:k]), (img[k:], mask[k:])


def batches(img, mask, size):
    while True:
        for idx in torch.randperm(len(img)).split(size):
            if len(idx) < size:
                continue
            x, y = img[idx], mask[idx]
            for d in (2, 3):
                if torch.rand(()) < 0.5:
                    x, y = x.flip(d), y.flip(d)
            yield x, y
