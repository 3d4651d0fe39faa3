import argparse
import tomllib
from pathlib import Path

import torch

from energy.callbacks import build_callbacks
from energy.data import BuildingTable
from energy.models import build_model
from energy.trainer import Trainer, build_optimizer

ROOT = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--conf", default="conf/base.toml")
    cfg = tomllib.loads((ROOT / parser.parse_args().conf).read_text())
    seed = cfg["experiment"]["seed"]
    torch.manual_seed(seed)
    data = dict(cfg["data"])
    table = BuildingTable(ROOT / data.pop("csv"), seed=seed, **data)
    model = build_model(cfg["model"], table.n_inputs)
    trainer = Trainer(model, build_optimizer(model, cfg["optimizer"]),
                      build_callbacks(cfg["callbacks"]), cfg["trainer"]["max_epochs"])
    final = trainer.fit(table)
    print(f"{cfg['experiment']['name']}: {trainer.epoch} epochs, r2 {final['val_r2']:.3f}, "
          f"rmse {final['val_loss'] ** 0.5 * table.y_std:.2f} {cfg['data']['target']}")


if __name__ == "__main__":
    main()
