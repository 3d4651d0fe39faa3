from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    days: int = 28
    price: float = 3.0
    cost: float = 1.0
    holding: float = 0.4
    lost: float = 0.5
    shops: int = 12
    updates: int = 260
    gamma: float = 0.8
    reward_unit: float = 10.0
    lr: float = 3e-3
    entropy: float = 0.01
    clip: float = 1.0
    report: int = 20
    seed: int = 6
