import argparse
import tomllib
from pathlib import Path

import torch

from ecg.data import make_loaders
from ecg.model import BeatNet
from ecg.trainer import Trainer

if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.toml")
    root = Path(__file__).parent
    cfg = tomllib.loads((root / ap.parse_args().config).read_text())

    torch.manual_seed(cfg["run"]["seed"])
    data = cfg["data"]
    train, test = make_loaders(root / data["file"], data["batch_size"])
    model = BeatNet(cfg["model"]["channels"], cfg["model"]["kernel"], len(data["classes"]))
    Trainer(model, cfg["optim"], data["classes"]).fit(train, test)
