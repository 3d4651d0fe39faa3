import torch
from sklearn.datasets import load_digits


def patches(n_test=300):
    """Digit images as centred vectors, unit variance over the whole set."""
    x = torch.tensor(load_digits().data, dtype=torch.float32)
    x = x[torch.randperm(len(x), generator=torch.Generator().manual_seed(0))]
    tr, te = x[:-n_test], x[-n_test:]
    mean = tr.mean(0)
    scale = (tr - mean).std()
    return (tr - mean) / scale, (te - mean) / scale
