from dataclasses import dataclass


@dataclass
class Settings:
    ratings: str = "ratings_week32.npz"
    warm_start: str = "ncf_week31.pt"
    dim: int = 16
    hidden: int = 64
    lr: float = 1e-3
    weight_decay: float = 1e-5
    batch_size: int = 128
    epochs: int = 8
    seed: int = 32
