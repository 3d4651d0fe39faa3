import numpy as np
import torch


def read(path, n_val=64):
    z = np.load(path)
    img = torch.tensor(z["img"]).float().div(255).unsqueeze(1)
    n, _, s, _ = img.shape
    mask = np.unpackbits(z["mask"], axis=1)[:, :s * s].reshape(n, 1, s, s)
    mask = torch.tensor(mask).float()
    mu, sd = img[n_val:].mean(), img[n_val:].std()
    img = (img - mu) / sd
    return (img[n_val:], mask[n_val:]), (img[:n_val], mask[:n_val])


def batches(x, y, size):
    for idx in torch.randperm(len(x)).split(size):
        xb, yb = x[idx], y[idx]
        if torch.rand(()) < 0.5:
            xb, yb = xb.flip(-1), yb.flip(-1)
        if torch.rand(()) < 0.5:
            xb, yb = xb.flip(-2), yb.flip(-2)
        yield xb, yb
