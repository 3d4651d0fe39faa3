"""Train the annual heat demand model.

    python train.py --config configs/district.yaml
"""
import argparse

import torch

from energy.config import load_config
from energy.data.tables import build_splits
from energy.model import build_model
from energy.training.loop import Trainer


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="configs/district.yaml")
    ap.add_argument("--seed", type=int, default=None)
    args = ap.parse_args()

    cfg = load_config(args.config)
    torch.manual_seed(cfg.seed if args.seed is None else args.seed)

    splits = build_splits(cfg.data)
    model = build_model(splits.n_features, cfg.model)
    trainer = Trainer(model, splits, cfg.train)
    trainer.fit()

    report = trainer.evaluate(splits.test)
    print(f"test   MAE {report['mae'] / 1000:.1f} MWh   R2 {report['r2']:.3f}")


if __name__ == "__main__":
    main()
