import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def build_loaders(batch_size, holdout, seed):
    digits = load_digits()
    images = digits.images.astype("float32") / 16.0
    x_tr, x_te, y_tr, y_te = train_test_split(
        images, digits.target, test_size=holdout, stratify=digits.target, random_state=seed)
    mean, std = x_tr.mean(), x_tr.std()

    def dataset(x, y):
        return TensorDataset(torch.from_numpy((x - mean) / std).unsqueeze(1), torch.from_numpy(y).long())

    gen = torch.Generator().manual_seed(seed)
    train = DataLoader(dataset(x_tr, y_tr), batch_size=batch_size, shuffle=True, generator=gen)
    test = DataLoader(dataset(x_te, y_te), batch_size=256)
    return train, test
