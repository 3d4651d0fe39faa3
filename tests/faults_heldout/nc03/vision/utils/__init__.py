import random
import tomllib

import numpy as np
import torch


def load_config(path):
    with open(path, "rb") as fh:
        return tomllib.load(fh)


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
