from dataclasses import dataclass, field

import yaml


@dataclass
class DataConfig:
    path: str
    target: str
    numeric: list
    categorical: list
    target_transform: str = "standard"
    val_fraction: float = 0.15
    test_fraction: float = 0.15
    split_seed: int = 0


@dataclass
class ModelConfig:
    hidden: list = field(default_factory=lambda: [64, 64])
    dropout: float = 0.0


@dataclass
class TrainConfig:
    epochs: int = 60
    batch_size: int = 64
    lr: float = 1e-3
    weight_decay: float = 0.0


@dataclass
class Config:
    data: DataConfig
    model: ModelConfig
    train: TrainConfig
    seed: int = 0


def load_config(path):
    with open(path) as f:
        raw = yaml.safe_load(f)
    return Config(
        data=DataConfig(**raw["data"]),
        model=ModelConfig(**raw.get("model", {})),
        train=TrainConfig(**raw.get("train", {})),
        seed=raw.get("seed", 0),
    )
