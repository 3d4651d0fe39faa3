import argparse
from dataclasses import dataclass, fields


@dataclass
class Settings:
    train_images: int = 3000
    test_images: int = 500
    epochs: int = 6
    batch: int = 32
    lr: float = 0.02
    momentum: float = 0.9
    weight_decay: float = 1e-4
    clip: float = 5.0
    seed: int = 5


def from_command_line():
    ap = argparse.ArgumentParser()
    for f in fields(Settings):
        ap.add_argument("--" + f.name.replace("_", "-"), type=f.type, default=f.default)
    return Settings(**vars(ap.parse_args()))
