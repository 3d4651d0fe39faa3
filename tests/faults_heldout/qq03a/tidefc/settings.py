import tomllib
from dataclasses import dataclass
from pathlib import Path

import torch

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float64": torch.float64}


@dataclass(frozen=True)
class Data:
    file: str
    history: int
    horizon: int
    train_until: float


@dataclass(frozen=True)
class Model:
    hidden: int
    depth: int


@dataclass(frozen=True)
class Train:
    seed: int
    dtype: str
    epochs: int
    batch_size: int
    learning_rate: float
    weight_decay: float

    @property
    def torch_dtype(self):
        return DTYPES[self.dtype]


@dataclass(frozen=True)
class Settings:
    title: str
    data: Data
    model: Model
    train: Train

    @classmethod
    def read(cls, path):
        raw = tomllib.loads(Path(path).read_text())
        return cls(raw["title"], Data(**raw["data"]), Model(**raw["model"]), Train(**raw["train"]))
