import json
from pathlib import Path

import torch

from src.data import datasets
from src.engine import Engine
from src.model import build


def main():
    cfg = json.loads(Path(__file__).with_name("settings.json").read_text())
    torch.manual_seed(cfg["seed"])
    train, val = datasets(cfg["seed"])
    model = build(24, 6, **cfg["model"])
    Engine(model, train, val, **cfg["train"]).run()


if __name__ == "__main__":
    main()
