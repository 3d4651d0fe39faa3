import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def load_splits(seed=0, val_size=0.2, test_size=0.2):
    x, y = load_breast_cancer(return_X_y=True)
    x_rest, x_test, y_rest, y_test = train_test_split(x, y, test_size=test_size, stratify=y, random_state=seed)
    x_train, x_val, y_train, y_val = train_test_split(
        x_rest, y_rest, test_size=val_size, stratify=y_rest, random_state=seed
    )
    scaler = StandardScaler().fit(x_train)

    def pack(a, b):
        return torch.from_numpy(scaler.transform(a).astype(np.float32)), torch.from_numpy(b.astype(np.float32))

    return {"train": pack(x_train, y_train), "val": pack(x_val, y_val), "test": pack(x_test, y_test)}
