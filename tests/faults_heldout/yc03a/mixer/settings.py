import configparser
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    dim: int
    depth: int
    weights: str
    compute: str
    batch_size: int
    epochs: int
    optimizer: str
    lr: float
    weight_decay: float
    warmup_steps: int

    @classmethod
    def read(cls, path):
        ini = configparser.ConfigParser()
        with open(path) as fh:
            ini.read_file(fh)
        flat = {k: v for section in ini.sections() for k, v in ini[section].items()}
        return cls(**{name: typ(flat[name]) for name, typ in cls.__annotations__.items()})
