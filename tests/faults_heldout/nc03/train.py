import sys
from pathlib import Path

from vision.data import build_loaders
from vision.engine import Trainer, build_callbacks, build_optimizer, build_scheduler
from vision.models import build_model
from vision.utils import load_config, seed_everything


def main(config_path):
    cfg = load_config(config_path)
    run = cfg["run"]
    seed_everything(run["seed"])
    train_loader, val_loader = build_loaders(cfg["data"], run["seed"])
    model = build_model(cfg["model"])
    optimizer = build_optimizer(model, cfg["optimizer"])
    scheduler = build_scheduler(optimizer, cfg["scheduler"])
    callbacks = build_callbacks(cfg["callbacks"]["enabled"], scheduler, run["log_every"])
    Trainer(model, optimizer, callbacks, run["epochs"]).fit(train_loader, val_loader)


if __name__ == "__main__":
    default = Path(__file__).resolve().parent / "configs" / "digits.toml"
    main(sys.argv[1] if len(sys.argv) > 1 else default)
