from pathlib import Path

import torch

from load_forecast.network import LoadGRU
from load_forecast.runner import StreamTrainer
from load_forecast.series import load_feeders
from load_forecast.settings import Settings

ROOT = Path(__file__).resolve().parent


def main(settings=Settings()):
    torch.manual_seed(settings.seed)
    data = load_feeders(ROOT / settings.csv, settings.train_hours)
    net = LoadGRU(data.inputs.shape[-1], settings.hidden)
    trainer = StreamTrainer(net, data, settings)
    print(f"{data.inputs.shape[0]} feeders, {data.split} training hours; naive mae: "
          f"last hour {trainer.naive_mae(1):.1f} kW, same hour yesterday {trainer.naive_mae(24):.1f} kW")
    trainer.fit()


if __name__ == "__main__":
    main()
