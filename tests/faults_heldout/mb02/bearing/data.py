import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def rig_b(path, batch_size, generator):
    z = np.load(path)
    # scaled with the statistics of rig A, as the pre-trained network expects
    x = (z["signal"].astype(np.float32) - float(z["mean"])) / float(z["std"])
    x = torch.from_numpy(x).unsqueeze(1)
    y = torch.from_numpy(z["fault"].astype(np.int64))
    order = torch.randperm(len(y), generator=generator)
    parts = order[:400], order[400:550], order[550:]
    sets = [TensorDataset(x[p], y[p]) for p in parts]
    return (DataLoader(sets[0], batch_size=batch_size, shuffle=True, generator=generator),
            DataLoader(sets[1], batch_size=150), DataLoader(sets[2], batch_size=150))
