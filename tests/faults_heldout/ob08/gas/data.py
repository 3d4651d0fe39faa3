import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from .transforms import Jitter, Log1p, Pipeline, Standardize


class GasArray(Dataset):
    def __init__(self, x, y, pipeline):
        self.x, self.y, self.pipeline = x, y, pipeline

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.pipeline(self.x[i]), self.y[i]


def build_loaders(root, cfg):
    raw = np.load(root / cfg["file"])
    x_train = torch.from_numpy(raw["response"])
    x_val = torch.from_numpy(raw["response_val"])
    y_train = torch.from_numpy(raw["gas"]).long()
    y_val = torch.from_numpy(raw["gas_val"]).long()

    transforms = {"log1p": Log1p(), "standardize": Standardize(), "jitter": Jitter(cfg["jitter_std"])}
    train_pipe = Pipeline(transforms, cfg["pipelines"]["train"]).fit(x_train)
    eval_pipe = Pipeline(transforms, cfg["pipelines"]["eval"])

    train = DataLoader(GasArray(x_train, y_train, train_pipe), batch_size=cfg["batch_size"], shuffle=True)
    val = DataLoader(GasArray(x_val, y_val, eval_pipe), batch_size=200)
    return train, val
