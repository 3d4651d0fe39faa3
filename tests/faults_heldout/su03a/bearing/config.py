from dataclasses import dataclass


@dataclass
class Config:
    archive: str = "recordings.npz"
    labels: str = "labels.csv"
    val_share: float = 0.25
    batch_size: int = 32
    epochs: int = 25
    lr: float = 2e-3
    weight_decay: float = 1e-3
    dropout: float = 0.2
    seed: int = 17
