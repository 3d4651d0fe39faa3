from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Settings:
    history: int = 72
    horizon: int = 12
    width: int = 96
    batch: int = 64
    epochs: int = 30
    lr: float = 0.003
    momentum: float = 0.9
    dtype: torch.dtype = torch.bfloat16
    seed: int = 12
