import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from .features import FeatureScaler


def loaders(batch_size, seed):
    d = load_breast_cancer()
    xt, xv, yt, yv = train_test_split(d.data, d.target, test_size=0.25, stratify=d.target, random_state=seed)
    scaler = FeatureScaler()
    train = TensorDataset(torch.from_numpy(scaler.fit_transform(xt)), torch.tensor(yt, dtype=torch.float32))
    val = TensorDataset(torch.from_numpy(scaler.transform(xv)), torch.tensor(yv, dtype=torch.float32))
    return DataLoader(train, batch_size, shuffle=True), DataLoader(val, 64)
