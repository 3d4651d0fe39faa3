from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class DataConfig:
    root: Path = Path(__file__).resolve().parent.parent / "ratings"
    batch_size: int = 128


@dataclass
class ModelConfig:
    n_factors: int = 6
    init_std: float = 0.1


@dataclass
class TrainConfig:
    epochs: int = 12
    lr: float = 1e-2
    l2: float = 1e-1
    seed: int = 2024
    data: DataConfig = field(default_factory=DataConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
