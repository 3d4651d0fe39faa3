import json
import pathlib

import torch

from bearing.nets import VibrationNet
from bearing.signals import CONDITIONS, build
from bearing.trainer import Trainer

BASE = pathlib.Path(__file__).parent


def main():
    config = json.loads((BASE / "setup.json").read_text())
    torch.manual_seed(config["seed"])

    train_x, train_y = build(config["data"]["train"], seed=100)
    val_x, val_y = build(config["data"]["val"], seed=200)
    scale = train_x.std()

    model = VibrationNet(n_classes=len(CONDITIONS), **config["model"])
    model.stem.load_state_dict(torch.load(BASE / "stem.pt"))

    trainer = Trainer(model, config["training"])
    trainer.fit((train_x / scale, train_y), (val_x / scale, val_y))


if __name__ == "__main__":
    main()
