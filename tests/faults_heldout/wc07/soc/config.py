from dataclasses import dataclass


@dataclass
class Config:
    seed: int = 4
    hidden: int = 48
    chunk: int = 25          # truncated back-propagation length
    cells_per_batch: int = 8
    epochs: int = 40
    lr: float = 6e-3
    clip: float = 1.0
    val_cycles: int = 8
