import numpy as np
import torch
from torch.utils.data import DataLoader, Subset, TensorDataset

PATTERNS = ["none", "center", "donut", "edge_local", "scratch", "edge_ring"]


def load_maps(path):
    """Wafer maps: 0 outside the wafer, 1 good die, 2 failed die."""
    archive = np.load(path)
    maps = torch.from_numpy(archive["maps"].astype("int64"))
    planes = torch.stack([(maps == 1).float(), (maps == 2).float()], dim=1)
    labels = torch.from_numpy(archive["pattern"].astype("int64"))
    return TensorDataset(planes, labels)


def make_loaders(path, valid_share, batch_size, split_seed):
    dataset = load_maps(path)
    generator = torch.Generator().manual_seed(split_seed)
    order = torch.randperm(len(dataset), generator=generator).tolist()
    n_valid = int(len(dataset) * valid_share)
    train, valid = Subset(dataset, order[n_valid:]), Subset(dataset, order[:n_valid])
    return DataLoader(train, batch_size, shuffle=True), DataLoader(valid, 256)
