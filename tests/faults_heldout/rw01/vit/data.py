import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def build_loaders(batch_size, seed):
    raw = load_digits()
    images = torch.tensor(raw.images, dtype=torch.float32).unsqueeze(1) / 8.0 - 1.0
    target = torch.tensor(raw.target, dtype=torch.long)
    tr, va = train_test_split(range(len(target)), test_size=0.25, stratify=raw.target, random_state=seed)
    gen = torch.Generator().manual_seed(seed)
    train = DataLoader(TensorDataset(images[tr], target[tr]), batch_size=batch_size, shuffle=True, generator=gen)
    val = DataLoader(TensorDataset(images[va], target[va]), batch_size=256)
    return train, val
