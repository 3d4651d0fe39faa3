import torch
from torch.optim import lr_scheduler as sched


def build_optimizer(model, cfg):
    kwargs = dict(cfg)
    name = kwargs.pop("name")
    decay, no_decay = [], []
    for p in model.parameters():
        (no_decay if p.ndim <= 1 else decay).append(p)
    wd = kwargs.pop("weight_decay", 0.0)
    groups = [{"params": decay, "weight_decay": wd}, {"params": no_decay, "weight_decay": 0.0}]
    return {"sgd": torch.optim.SGD, "adamw": torch.optim.AdamW}[name](groups, **kwargs)


def build_scheduler(optimizer, cfg):
    kwargs = dict(cfg)
    name = kwargs.pop("name")
    if name == "multistep":
        return sched.MultiStepLR(optimizer, **kwargs)
    if name == "cosine":
        return sched.CosineAnnealingLR(optimizer, **kwargs)
    if name == "exponential":
        return sched.ExponentialLR(optimizer, **kwargs)
    raise ValueError(f"unknown scheduler {name!r}")
