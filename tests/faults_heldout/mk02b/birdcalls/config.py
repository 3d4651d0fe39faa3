import json
from dataclasses import dataclass, field


@dataclass
class Config:
    spectrograms: str = "data/spectrograms.npz"
    annotations: str = "data/annotations.csv"
    val_fraction: float = 0.25
    epochs: int = 20
    batch_size: int = 32
    lr: float = 2e-3
    weight_decay: float = 1e-2
    dropout: float = 0.2
    hidden: int = 48
    seed: int = 0
    species: list = field(default_factory=list)

    @classmethod
    def load(cls, path, **overrides):
        with open(path) as f:
            values = json.load(f)
        values.update({k: v for k, v in overrides.items() if v is not None})
        return cls(**values)
