"""Hourly feeder-load forecasting: `python train.py --config config.toml`."""
import argparse
from pathlib import Path

from forecast.config import load_config
from forecast.trainer import Trainer

HERE = Path(__file__).resolve().parent


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.toml")
    args = ap.parse_args()
    cfg = load_config(HERE / args.config)
    trainer = Trainer(cfg, root=HERE)
    trainer.fit()
    report = trainer.evaluate("test")
    print(f"test  mae {report['mae']:.2f} kW   seasonal-naive {report['naive']:.2f} kW")


if __name__ == "__main__":
    main()
