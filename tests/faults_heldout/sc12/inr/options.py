import argparse
from dataclasses import dataclass, fields


@dataclass
class Options:
    picture: str = "picture.npy"
    features: int = 64
    bandwidth: float = 4.0
    width: int = 96
    depth: int = 3
    lr: float = 1e-3
    batch: int = 1024
    epochs: int = 4
    holdout: float = 0.1
    seed: int = 99

    @classmethod
    def from_cli(cls):
        parser = argparse.ArgumentParser()
        for f in fields(cls):
            parser.add_argument(f"--{f.name}", type=f.type, default=f.default)
        return cls(**vars(parser.parse_args()))
