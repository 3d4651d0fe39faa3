import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def make_loaders(path, n_train, batch):
    z = np.load(path)
    x = torch.from_numpy(z["wave"].astype("float32")) / 16 - 2
    pitch, onset = torch.from_numpy(z["pitch"]), torch.from_numpy(z["onset"]).float()
    stats = {"pitch": (pitch[:n_train].mean(), pitch[:n_train].std()),
             "onset": (onset[:n_train].mean(), onset[:n_train].std())}
    pitch, onset = ((v - stats[k][0]) / stats[k][1] for k, v in (("pitch", pitch), ("onset", onset)))
    kind = torch.from_numpy(z["kind"].astype("int64"))
    data = TensorDataset(x, kind, pitch, onset)
    first, rest = range(n_train), range(n_train, len(x))
    return (DataLoader(torch.utils.data.Subset(data, first), batch, shuffle=True, drop_last=True),
            DataLoader(torch.utils.data.Subset(data, rest), 200), stats)
