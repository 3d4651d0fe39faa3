import torch
from torch import nn

ACTIVATIONS = {
    "relu": nn.ReLU,
    "gelu": nn.GELU,
    "silu": nn.SiLU,
    "tanh": nn.Tanh,
    "linear": nn.Identity,
}
OPTIMIZERS = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}


def network(inputs, outputs, hidden, layers, activation):
    act = ACTIVATIONS[activation]
    mods = [nn.Linear(inputs, hidden), act()]
    for _ in range(layers - 1):
        mods += [nn.Linear(hidden, hidden), act()]
    mods.append(nn.Linear(hidden, outputs))
    return nn.Sequential(*mods)


def optimizer(params, name, lr):
    return OPTIMIZERS[name](params, lr=lr)


def schedule(opt, name, epochs):
    if name == "cosine":
        return torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    if name == "constant":
        return torch.optim.lr_scheduler.ConstantLR(opt, factor=1.0)
    raise KeyError(name)
