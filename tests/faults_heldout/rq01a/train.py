import json
import logging
import sys
from dataclasses import dataclass

import torch

from corpus import loaders
from model import DateTransformer
from trainer import Trainer


@dataclass
class Config:
    train_file: str
    valid_file: str
    seed: int
    width: int
    heads: int
    layers: int
    ff: int
    dropout: float
    batch_size: int
    epochs: int
    lr: float
    weight_decay: float
    warmup_steps: int
    clip: float


def main(path="conf.json"):
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    with open(path) as f:
        cfg = Config(**json.load(f))
    torch.manual_seed(cfg.seed)
    train, valid = loaders(cfg)
    model = DateTransformer(cfg.width, cfg.heads, cfg.layers, cfg.ff, cfg.dropout)
    Trainer(cfg, model, train, valid).fit()


if __name__ == "__main__":
    main(*sys.argv[1:])
