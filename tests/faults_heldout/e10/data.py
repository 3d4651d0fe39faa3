import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def tensors():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=397, random_state=17, stratify=d.target)
    return x[tr], y[tr], x[te], y[te]
