from dataclasses import dataclass, field


@dataclass
class Optim:
    lr: float = 0.1
    momentum: float = 0.9
    weight_decay: float = 1e-4


@dataclass
class Config:
    data: str = "cells.npz"
    classes: int = 3
    width: int = 12
    epochs: int = 10
    batch: int = 16
    seed: int = 3
    loss_weights: tuple = (0.5, 1.0, 1.5)
    loss_reduction: str = "sum"
    optim: Optim = field(default_factory=Optim)
