from torch import nn

ACTIVATIONS = {
    "relu": nn.ReLU,
    "elu": nn.ELU,
    "tanh": nn.Tanh,
    "selu": nn.SELU,
    "linear": nn.Identity,
}


def risk_net(n_inputs, spec):
    act = ACTIVATIONS[spec["activation"]]
    layers, width = [], n_inputs
    for size in spec["layers"]:
        layers += [nn.Linear(width, size), act(), nn.Dropout(spec["dropout"])]
        width = size
    layers.append(nn.Linear(width, 1, bias=False))
    return nn.Sequential(*layers)
