import math

import torch

from .registry import OPTIMIZERS, SCHEDULERS


@OPTIMIZERS.register("adamw")
def adamw(params, lr, weight_decay=0.0, betas=(0.9, 0.999)):
    return torch.optim.AdamW(params, lr=lr, weight_decay=weight_decay, betas=tuple(betas))


@OPTIMIZERS.register("sgd")
def sgd(params, lr, momentum=0.9, weight_decay=0.0):
    return torch.optim.SGD(params, lr=lr, momentum=momentum, weight_decay=weight_decay)


@SCHEDULERS.register("exponential")
def exponential(optimizer, total, gamma=0.95):
    return torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma)


@SCHEDULERS.register("cosine")
def cosine(optimizer, total, floor=0.01):
    return torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda t: floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(t / total, 1.0))))


class ScheduleHook:
    """Advances a scheduler at the end of every `step` or every `epoch`."""

    def __init__(self, optimizer, spec, steps_per_epoch, epochs):
        spec = dict(spec)
        name = spec.pop("name")
        self.interval = spec.pop("interval", "epoch")
        if self.interval not in ("step", "epoch"):
            raise ValueError(self.interval)
        total = epochs * (steps_per_epoch if self.interval == "step" else 1)
        self.scheduler = SCHEDULERS.build(name, optimizer, total, **spec)

    def on_step_end(self):
        if self.interval == "step":
            self.scheduler.step()

    def on_epoch_end(self):
        if self.interval == "epoch":
            self.scheduler.step()
