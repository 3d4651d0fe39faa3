import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def transfer_set(path, batch):
    z = np.load(path)
    x = torch.from_numpy(z["x_train"].astype(np.float32)) / 16 - 0.5
    t = torch.from_numpy(z["teacher_train"].astype(np.float32))
    y = torch.from_numpy(z["y_train"].astype(np.int64))
    xt = torch.from_numpy(z["x_test"].astype(np.float32)) / 16 - 0.5
    yt = torch.from_numpy(z["y_test"].astype(np.int64))
    return DataLoader(TensorDataset(x, y, t), batch, shuffle=True, drop_last=True), (xt, yt)
