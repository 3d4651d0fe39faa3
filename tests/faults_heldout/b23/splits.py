import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def digits():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=0.3, stratify=d.target, random_state=1)
    mu, sd = x[tr].mean(), x[tr].std()
    x = (x - mu) / sd
    return x[tr], y[tr], x[te], y[te]
