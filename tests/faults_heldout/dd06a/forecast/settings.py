from dataclasses import dataclass, field


@dataclass
class Settings:
    source: str = "district.npz"
    window: int = 24
    batch: int = 64
    epochs: int = 9
    lr: float = 2e-3
    channels: tuple = (32, 32, 32)
    exogenous: list = field(default_factory=lambda: ["temperature", "humidity", "wind", "sin_hour", "cos_hour", "weekend"])
    holdout_hours: int = 24 * 40
    seed: int = 12
