import json
from pathlib import Path

import torch
from torch.utils.data import DataLoader, TensorDataset

from shapes.engine import Engine
from shapes.network import ShapeNet
from shapes.render import make_images

cfg = json.loads((Path(__file__).parent / "settings.json").read_text())


def loaders(d, classes, seed):
    x, y = make_images(d["samples"] + d["val"], d["size"], d["noise"], classes, seed)
    n = d["samples"]
    train = DataLoader(TensorDataset(x[:n], y[:n]), d["batch_size"], shuffle=True)
    val = DataLoader(TensorDataset(x[n:], y[n:]), 100)
    return train, val


if __name__ == "__main__":
    torch.manual_seed(cfg["seed"])
    train, val = loaders(cfg["data"], cfg["model"]["classes"], cfg["seed"])
    model = ShapeNet(**cfg["model"])
    optimizer = torch.optim.SGD(model.parameters(), **cfg["optim"])
    # drop the rate every few epochs
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, **cfg["schedule"])
    engine = Engine(model, optimizer, scheduler)
    engine.run(train, val, cfg["epochs"])
