import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def loaders(batch_size, seed):
    x, y = load_digits(return_X_y=True)
    x = (x.reshape(-1, 1, 8, 8) / 16.0 - 0.3) / 0.38
    xtr, xva, ytr, yva = train_test_split(x, y, test_size=0.25, random_state=seed, stratify=y)

    def ds(a, b):
        return TensorDataset(torch.tensor(a, dtype=torch.float32), torch.tensor(b, dtype=torch.long))

    return (DataLoader(ds(xtr, ytr), batch_size=batch_size, shuffle=True),
            DataLoader(ds(xva, yva), batch_size=256))
