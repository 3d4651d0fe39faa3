import numpy as np
import torch


class ArmLogs:
    def __init__(self, path, valid_from):
        z = np.load(path)
        x, y = torch.from_numpy(z["x"].astype(np.float32)), torch.from_numpy(z["y"].astype(np.float32))
        self.train = (x[:valid_from], y[:valid_from])
        self.valid = (x[valid_from:], y[valid_from:])

    def shuffled(self, batch, generator):
        x, y = self.train
        order = torch.randperm(len(x), generator=generator)
        for j in order.split(batch):
            yield x[j], y[j]
