import tomllib
from dataclasses import dataclass, fields


@dataclass
class DataConfig:
    file: str
    context: int = 48
    horizon: int = 12
    batch_size: int = 64
    train_until: float = 0.7
    val_until: float = 0.85


@dataclass
class TrainerConfig:
    epochs: int = 10
    clip_norm: float = 0.0


@dataclass
class Config:
    seed: int
    data: DataConfig
    trainer: TrainerConfig
    model: dict
    optimizer: dict
    scheduler: dict


def _typed(cls, raw):
    known = {f.name for f in fields(cls)}
    extra = set(raw) - known
    if extra:
        raise ValueError(f"unknown keys for {cls.__name__}: {sorted(extra)}")
    return cls(**raw)


def load_config(path):
    with open(path, "rb") as fh:
        raw = tomllib.load(fh)
    return Config(
        seed=raw.get("seed", 0),
        data=_typed(DataConfig, raw["data"]),
        trainer=_typed(TrainerConfig, raw["trainer"]),
        model=raw["model"],
        optimizer=raw["optimizer"],
        scheduler=raw["scheduler"],
    )
