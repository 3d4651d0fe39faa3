from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    csv: str = "data/feeders.csv"
    train_hours: int = 1680
    window: int = 24
    hidden: int = 40
    lr: float = 3e-3
    epochs: int = 24
    grad_clip: float = 1.0
    huber_delta: float = 1.0
    plateau_factor: float = 0.5
    plateau_patience: int = 3
    seed: int = 42
