from dataclasses import dataclass, field


@dataclass(frozen=True)
class OptimOptions:
    lr: float = 1e-2
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 0.1
    weight_decay: float = 5e-4


@dataclass(frozen=True)
class Options:
    nodes: int = 1200
    topics: int = 6
    vocab: int = 300
    hidden: int = 32
    layers: int = 3
    dropout: float = 0.4
    steps: int = 200
    log_every: int = 20
    seed: int = 2
    optim: OptimOptions = field(default_factory=OptimOptions)
