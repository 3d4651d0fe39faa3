import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def make_loaders(data_cfg, batch_size):
    bunch = load_digits()
    images = torch.tensor(bunch.images, dtype=torch.float32).unsqueeze(1) / data_cfg["pixel_max"]
    images = (images - 0.5) / 0.5
    labels = torch.tensor(bunch.target, dtype=torch.long)

    idx_tr, idx_te = train_test_split(
        range(len(labels)),
        test_size=data_cfg["test_fraction"],
        random_state=data_cfg["split_seed"],
        stratify=bunch.target,
    )
    train = TensorDataset(images[idx_tr], labels[idx_tr])
    test = TensorDataset(images[idx_te], labels[idx_te])
    return (
        DataLoader(train, batch_size=batch_size, shuffle=True, drop_last=True),
        DataLoader(test, batch_size=256),
    )
