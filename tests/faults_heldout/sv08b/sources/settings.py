import tomllib
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Settings:
    # task
    length: int
    alphabet: int
    classes: int
    samples: int
    # model
    width: int
    heads: int
    layers: int
    # optimisation
    epochs: int
    batch: int
    peak_lr: float
    warmup_steps: int


def load_settings(path):
    with open(path, "rb") as f:
        tree = tomllib.load(f)
    flat = {k: v for section in tree.values() for k, v in section.items()}
    return Settings(**{f.name: flat[f.name] for f in fields(Settings)})
