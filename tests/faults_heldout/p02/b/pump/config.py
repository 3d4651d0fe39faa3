import ast
import configparser
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Settings:
    lr: float = 0.003
    batch: int = 32
    epochs: int = 8
    blocks: int = 2
    width: int = 32
    activation: str = "SiLU"
    weight_decay: float = 1e-4
    dropout: float = 0.0
    head_only: bool = False
    shuffle: bool = True
    standardize: bool = True
    positive_weight: float = 1.0
    seed: int = 4

    @classmethod
    def from_cli(cls, pairs):
        values = {}
        parser = configparser.ConfigParser()
        if parser.read(ROOT / "pump.cfg"):
            values.update(parser["train"])
        values.update(p.split("=", 1) for p in pairs)
        known = {f.name: f.type for f in fields(cls)}
        return cls(**{k: v if known[k] in (str, "str") else ast.literal_eval(v) for k, v in values.items()})
