from torch import nn

ACTS = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU}


def mlp(spec, act):
    """mlp("7-64-1", "relu")"""
    sizes = [int(s) for s in spec.split("-")]
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(ACTS[act]())
    return nn.Sequential(*layers)
