import json
from dataclasses import dataclass, fields


@dataclass
class Config:
    data: str = "demand.npz"
    window: int = 24
    hidden: int = 40
    epochs: int = 20
    lr: float = 5e-3
    final_lr: float = 2e-4
    clip: float = 0.25
    split_hour: int = 1536
    seed: int = 0

    @classmethod
    def load(cls, path):
        with open(path) as f:
            given = json.load(f)
        known = {f.name for f in fields(cls)}
        unknown = set(given) - known
        if unknown:
            raise KeyError(f"unknown settings: {sorted(unknown)}")
        return cls(**given)
