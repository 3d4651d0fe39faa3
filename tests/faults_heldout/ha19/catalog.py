import pathlib

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent


def part(name):
    with np.load(HERE / "products.npz") as z:
        x = torch.from_numpy(z[f"{name}_vec"].astype("float32"))
        y = torch.from_numpy(z[f"{name}_sku"].astype("int64"))
    return torch.nn.functional.normalize(x, dim=1), y
