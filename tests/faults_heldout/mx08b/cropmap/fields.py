import numpy as np
import torch
from torch.utils.data import TensorDataset


class FieldSeries:
    """NDVI and NDWI (int8, percent) for 20 dates; tiles are held out whole."""

    def __init__(self, path, test_tiles):
        z = np.load(path)
        x = z["series"].astype(np.float32) / 100.0
        y = z["crop"].astype(np.int64)
        self.crops = [str(c) for c in z["crop_names"]]
        self.n_bands = x.shape[2]

        test = np.isin(z["tile"], test_tiles)
        mean = x[~test].mean(axis=(0, 1))
        std = x[~test].std(axis=(0, 1))
        x = torch.from_numpy((x - mean) / std)
        y = torch.from_numpy(y)
        self.train = TensorDataset(x[~test], y[~test])
        self.test = TensorDataset(x[test], y[test])
