import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def digits():
    x, y = load_digits(return_X_y=True)
    x = torch.tensor(x, dtype=torch.float32).view(-1, 1, 8, 8) / 16 - 0.3
    y = torch.tensor(y)
    a, b = train_test_split(range(len(y)), test_size=0.3, random_state=77, stratify=y)
    return (x[a], y[a]), (x[b], y[b])
