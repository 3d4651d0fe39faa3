import json
from dataclasses import dataclass


@dataclass
class DataSpec:
    samples: int
    links: list
    noise: float


@dataclass
class ModelSpec:
    kind: str
    width: int
    depth: int
    activation: str


@dataclass
class OptimSpec:
    lr: float
    weight_decay: float
    epochs: int
    batch: int


@dataclass
class Spec:
    seed: int
    data: DataSpec
    model: ModelSpec
    optim: OptimSpec


def load_spec(path):
    raw = json.loads(path.read_text())
    return Spec(raw["seed"], DataSpec(**raw["data"]), ModelSpec(**raw["model"]), OptimSpec(**raw["optim"]))
