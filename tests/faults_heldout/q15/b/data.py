import pathlib
import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent


def split(name):
    with np.load(HERE / "data" / f"{name}.npz") as z:
        return torch.from_numpy(z["x"].astype(np.float32)), torch.from_numpy(z["y"].astype(np.int64))


def everything():
    parts = {k: split(k) for k in ("train", "val", "test")}
    mean, std = parts["train"][0].mean(0), parts["train"][0].std(0)
    return {k: ((x - mean) / std, y) for k, (x, y) in parts.items()}
