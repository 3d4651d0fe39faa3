import torch.nn as nn

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh, "gelu": nn.GELU, "silu": nn.SiLU}


def make_net(n_in, cfg):
    act = ACTIVATIONS.get(cfg.get("activation"), nn.Identity)
    mods, last = [], n_in
    for width in cfg["layers"]:
        mods.append(nn.Linear(last, width))
        mods.append(act())
        last = width
    mods.append(nn.Linear(last, 1))
    return nn.Sequential(*mods)
