import logging
import random
import tomllib
from pathlib import Path

import numpy as np
import torch

from demand import TemporalNet, Trainer, build_loaders

ROOT = Path(__file__).resolve().parent


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    cfg = tomllib.loads((ROOT / "config.toml").read_text())
    torch.set_num_threads(1)
    seed = cfg["run"]["seed"]
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)

    loaders = build_loaders(ROOT / cfg["data"]["file"], cfg["data"])
    model = TemporalNet(channels=5, horizon=cfg["data"]["horizon"], **cfg["model"])
    n = sum(p.numel() for p in model.parameters())
    logging.info("%d parameters, %d training windows", n, len(loaders[0].dataset))
    mae = Trainer(model, loaders, cfg["train"]).run()
    print(f"final valid MAE (scaled) {mae:.4f}")


if __name__ == "__main__":
    main()
