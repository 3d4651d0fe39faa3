import tomllib
from pathlib import Path

import torch

from frames import FrameDataset
from trainer import DenoiseTrainer

HERE = Path(__file__).parent


def main():
    cfg = tomllib.loads((HERE / "settings.toml").read_text())
    torch.manual_seed(cfg["seed"])
    data = cfg["data"]
    train_set = FrameDataset(data["train"], cfg["seed"], data["noise"])
    valid_set = FrameDataset(data["valid"], cfg["seed"] + 1000, data["noise"])
    base = torch.nn.functional.mse_loss(valid_set.noisy, valid_set.clean).item()
    print(f"{len(train_set)} training frames, mse of the raw frames {base:.4f}")
    DenoiseTrainer(train_set, valid_set, cfg).fit()


if __name__ == "__main__":
    main()
