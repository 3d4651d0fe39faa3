import json
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Config:
    data_file: str
    width: int = 64
    depth: int = 2
    lr: float = 3e-3
    batch_size: int = 64
    epochs: int = 40
    seed: int = 0

    @classmethod
    def from_json(cls, path):
        raw = json.loads(path.read_text())
        known = {f.name for f in fields(cls)}
        unknown = set(raw) - known
        if unknown:
            raise ValueError(f"unknown config keys: {sorted(unknown)}")
        return cls(**raw)
