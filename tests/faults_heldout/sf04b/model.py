import torch.nn as nn

ACTS = {"sigmoid": nn.Sigmoid, "relu": nn.ReLU, "tanh": nn.Tanh}


def build(section, n_in, n_out):
    act = ACTS[section["activation"]]
    mods, width = [], n_in
    for _ in range(section["layers"]):
        mods.append(nn.Linear(width, section["width"]))
        mods.append(act())
        width = section["width"]
    mods.append(nn.Linear(width, n_out))
    return nn.Sequential(*mods)
