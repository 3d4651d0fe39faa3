import torch

from .groups import split_parameters

_KINDS = {
    "adamw": lambda groups, lr: torch.optim.AdamW(groups, lr=lr),
    "rmsprop": lambda groups, lr: torch.optim.RMSprop(groups, lr=lr, momentum=0.9),
}


def create_optimizer(kind, model, lr, weight_decay):
    return _KINDS[kind](split_parameters(model, weight_decay), lr)
