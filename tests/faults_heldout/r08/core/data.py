import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, Dataset


class Tabular(Dataset):
    def __init__(self, X, y):
        self.X = torch.as_tensor(X, dtype=torch.float32)
        self.y = torch.as_tensor(y, dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.X[i], self.y[i]


def get_loaders(batch_size):
    X, y = load_breast_cancer(return_X_y=True)
    Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.25, stratify=y, random_state=1)
    sc = StandardScaler().fit(Xa)
    return (DataLoader(Tabular(sc.transform(Xa), ya), batch_size=batch_size, shuffle=True),
            DataLoader(Tabular(sc.transform(Xb), yb), batch_size=128))
