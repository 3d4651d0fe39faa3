import os
from dataclasses import dataclass


@dataclass
class Settings:
    rollout_dir: str = os.environ.get("ROLLOUT_DIR", "rollouts")
    per_worker: int = 16
    epochs: int = 72
    lr: float = 2e-3
    width: int = 96
    seed: int = 5
    report_every: int = 6
