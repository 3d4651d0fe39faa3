import json
import pathlib

import numpy as np
import torch

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def vocabulary():
    return json.loads((DATA / "vocab.json").read_text())


def split(name):
    z = np.load(DATA / f"{name}.npz")
    return tuple(torch.from_numpy(z[k]).long() for k in ("tokens", "tags", "length"))
