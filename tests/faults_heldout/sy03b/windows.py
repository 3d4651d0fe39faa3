"""Loading of accelerometer windows.

Training windows come from the feature store, which keeps them standardised. Validation windows
are raw recordings (counts) and are standardised here with the stored scaler, as on the device.
"""
import json

import numpy as np
import torch
from torch.utils.data import TensorDataset


class Scaler:
    def __init__(self, path):
        with open(path) as f:
            stored = json.load(f)
        self.mean = np.asarray(stored["mean"], dtype="float32").reshape(1, -1, 1)
        self.std = np.asarray(stored["std"], dtype="float32").reshape(1, -1, 1)

    def transform(self, windows):
        return (windows.astype("float32") - self.mean) / self.std


def load_train(path):
    archive = np.load(path)
    x = torch.from_numpy(archive["windows"].astype("float32"))
    y = torch.from_numpy(archive["activity"].astype("int64"))
    return TensorDataset(x, y)


def load_valid(path, scaler):
    archive = np.load(path)
    x = torch.from_numpy(scaler.transform(archive["windows"]))
    y = torch.from_numpy(archive["activity"].astype("int64"))
    return TensorDataset(x, y)
