import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def digit_loaders(batch_size, seed):
    x, y = load_digits(return_X_y=True)
    xa, xb, ya, yb = train_test_split(x, y, test_size=0.25, stratify=y, random_state=seed)
    mu, sd = xa.mean(), xa.std()

    def pack(x, y):
        img = torch.tensor((x - mu) / sd, dtype=torch.float32).view(-1, 8, 8)
        return TensorDataset(img, torch.tensor(y))

    return (DataLoader(pack(xa, ya), batch_size, shuffle=True, drop_last=True),
            DataLoader(pack(xb, yb), 150))
