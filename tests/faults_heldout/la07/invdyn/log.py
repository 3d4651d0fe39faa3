import numpy as np
import torch


def load_log(path, test_fraction, generator):
    z = np.load(path)
    q, qd, qdd, torque = (z[k].astype(np.float32) for k in ("q", "qd", "qdd", "torque"))
    x = np.concatenate([np.sin(q), np.cos(q), qd, qdd], 1)
    x, y = torch.from_numpy(x), torch.from_numpy(torque)
    perm = torch.randperm(len(x), generator=generator)
    n_test = int(test_fraction * len(x))
    te, tr = perm[:n_test], perm[n_test:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    y = (y - y[tr].mean(0)) / y[tr].std(0)
    return (x[tr], y[tr]), (x[te], y[te])
