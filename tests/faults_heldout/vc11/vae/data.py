import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def load(seed):
    digits = load_digits()
    parts = train_test_split(digits.data / 16.0, digits.target, test_size=0.2, random_state=seed, stratify=digits.target)
    x_train, x_val, y_train, y_val = (torch.as_tensor(p) for p in parts)
    return (x_train.float(), y_train), (x_val.float(), y_val)
