from dataclasses import dataclass


@dataclass
class Options:
    images: int = 400
    test_images: int = 150
    size: int = 24
    width: int = 12
    keep_prob: float = 0.9
    lr: float = 2e-3
    batch: int = 20
    epochs: int = 8
    seed: int = 16
