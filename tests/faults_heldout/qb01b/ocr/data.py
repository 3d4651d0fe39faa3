import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def make_loaders(batch_size, test_size, seed):
    images, labels = load_digits(return_X_y=True)
    images = (images.reshape(-1, 1, 8, 8) / 16.0 - 0.305) / 0.376
    xtr, xte, ytr, yte = train_test_split(
        images, labels, test_size=test_size, stratify=labels, random_state=seed)
    train = TensorDataset(torch.tensor(xtr, dtype=torch.float32), torch.tensor(ytr))
    test = TensorDataset(torch.tensor(xte, dtype=torch.float32), torch.tensor(yte))
    return (DataLoader(train, batch_size=batch_size, shuffle=True),
            DataLoader(test, batch_size=256))
