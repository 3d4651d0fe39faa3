import configparser
from dataclasses import dataclass, fields


@dataclass
class Options:
    epochs: int = 10
    batch: int = 32
    rate: float = 1e-3
    momentum: float = 0.9
    decay: float = 1e-4
    channels: int = 16
    seed: int = 0

    @classmethod
    def read(cls, path):
        ini = configparser.ConfigParser()
        with open(path) as stream:
            ini.read_file(stream)
        section = ini["training"]
        return cls(**{f.name: f.type(section[f.name]) for f in fields(cls) if f.name in section})
