from dataclasses import dataclass
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent


@dataclass
class Settings:
    interactions: Path = BASE / "interactions.npz"
    resume: Path = BASE / "state" / "ranker.pt"
    factors: int = 24
    epochs: int = 12
    batch_size: int = 256
    peak_lr: float = 4e-3
    warmup_steps: int = 60
    total_steps: int = 1000
    weight_decay: float = 1e-3
    seed: int = 404
