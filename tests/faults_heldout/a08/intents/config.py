import json
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass
class Config:
    seed: int
    train_file: str
    dev_file: str
    min_count: int
    max_len: int
    emb_dim: int
    hidden: int
    dropout: float
    batch_size: int
    lr: float
    weight_decay: float
    epochs: int
    warmup_frac: float
    clip: float
    patience: int
    run_dir: str

    @classmethod
    def load(cls, path: Path) -> "Config":
        raw = json.loads(path.read_text())
        known = {f.name for f in fields(cls)}
        extra = set(raw) - known
        if extra:
            raise ValueError(f"unknown keys in {path}: {sorted(extra)}")
        return cls(**raw)
