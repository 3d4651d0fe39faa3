from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    trajectories: int = 90
    held_out: int = 24
    samples: int = 30
    noise: float = 0.02
    hidden: int = 64
    batch: int = 64
    steps: int = 1500
    warmup: int = 50
    peak_lr: float = 2e-2
    final_lr: float = 1e-3
    report_every: int = 125
    seed: int = 2
