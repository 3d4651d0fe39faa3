import numpy as np
import torch


class Standardiser:
    def __init__(self, sample):
        self.mean, self.std = sample.mean(0), sample.std(0)

    def __call__(self, x):
        return (x - self.mean) / self.std

    def back(self, z):
        return z * self.std + self.mean


def read(path, seed, held_out=0.2):
    with np.load(path) as f:
        state, torque = torch.from_numpy(f["state"]), torch.from_numpy(f["torque"])
    # joint angles enter as they come from the encoders, in radians
    order = torch.randperm(len(state), generator=torch.Generator().manual_seed(seed))
    k = int(held_out * len(state))
    test, train = order[:k], order[k:]
    sx, sy = Standardiser(state[train]), Standardiser(torque[train])
    return (sx(state[train]), sy(torque[train])), (sx(state[test]), torque[test]), sy
