import numpy as np
import torch


def load_ratings(path, holdout_every=5):
    raw = np.genfromtxt(path, delimiter=",", skip_header=1)
    users = torch.from_numpy(raw[:, 0]).long()
    items = torch.from_numpy(raw[:, 1]).long()
    stars = torch.from_numpy(raw[:, 2]).float()
    held = torch.arange(len(stars)) % holdout_every == 0
    fit = (users[~held], items[~held], stars[~held])
    val = (users[held], items[held], stars[held])
    return fit, val, int(users.max()) + 1, int(items.max()) + 1
