import json
from pathlib import Path

import torch

from loadcast.model import Forecaster
from loadcast.series import train_and_test
from loadcast.trainer import Trainer


def main():
    cfg = json.loads((Path(__file__).parent / "settings.json").read_text())
    torch.manual_seed(cfg["seed"])
    train_set, test_set, scale = train_and_test(cfg)
    model = Forecaster(cfg["hidden"], cfg["horizon"])
    Trainer(model, train_set, test_set, cfg, scale).fit()


if __name__ == "__main__":
    main()
