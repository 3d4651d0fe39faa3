from dataclasses import dataclass, field
from typing import List


@dataclass
class Config:
    seed: int = 17
    n_rows: int = 24000
    cardinalities: List[int] = field(default_factory=lambda: [120, 60, 40, 25])
    n_dense: int = 5
    emb_dim: int = 6
    hidden: List[int] = field(default_factory=lambda: [48, 24])
    lr: float = 2e-3
    weight_decay: float = 1e-4
    batch_size: int = 256
    epochs: int = 8
    log_every: int = 100
