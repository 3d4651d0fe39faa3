from pathlib import Path

import torch

from bearing.config import Config
from bearing.dataset import STATES, Recordings
from bearing.model import VibrationNet
from bearing.trainer import Trainer


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    data = Recordings(Path(__file__).resolve().parent, cfg.archive, cfg.labels)
    print(f"{len(data)} recordings, {torch.bincount(data.y).tolist()} per state")
    model = VibrationNet(len(STATES), cfg.dropout)
    Trainer(model, data, cfg).fit()


if __name__ == "__main__":
    main()
