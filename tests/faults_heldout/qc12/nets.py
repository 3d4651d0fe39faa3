from torch import nn

ACT = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh}


def mlp(sizes, act="relu"):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), ACT[act]()]
    return nn.Sequential(*layers)
