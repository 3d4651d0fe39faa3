from dataclasses import dataclass, field


@dataclass
class BackboneConfig:
    width: int = 24
    checkpoint: str = "weights/encoder_0to4.pt"
    freeze: bool = True


@dataclass
class HeadConfig:
    hidden: int = 64
    dropout: float = 0.2
    lr: float = 3e-3
    weight_decay: float = 1e-3


@dataclass
class Config:
    seed: int = 8
    classes: tuple = (5, 6, 7, 8, 9)
    shots_per_class: int = 60
    batch_size: int = 32
    epochs: int = 20
    backbone: BackboneConfig = field(default_factory=BackboneConfig)
    head: HeadConfig = field(default_factory=HeadConfig)
