from dataclasses import dataclass, asdict


@dataclass
class TrainConfig:
    data: str = "data/tickets.tsv"
    val_fraction: float = 0.2
    batch_size: int = 32
    accum_steps: int = 16      # effective batch of 512, same recipe as the large run
    epochs: int = 40
    lr: float = 2e-2
    emb_dim: int = 32
    hidden: int = 48
    seed: int = 101

    def describe(self):
        return ", ".join(f"{k}={v}" for k, v in asdict(self).items())
