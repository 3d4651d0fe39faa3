import json  # config.yaml is kept in json style, which is valid yaml
import sys
from pathlib import Path

import torch

from churn.callbacks import EarlyStopping, Printer
from churn.engine import Engine, Net
from churn.table import split

ROOT = Path(__file__).resolve().parent


def main(path):
    cfg = json.loads(Path(path).read_text())
    torch.manual_seed(cfg["seed"])
    parts = split(ROOT / cfg["table"], cfg["seed"])
    print({k: len(v[1]) for k, v in parts.items()}, "churn rate", round(parts["train"][1].mean().item(), 3))
    model = Net(parts["train"][0].shape[1], cfg["hidden"])
    optimizer = torch.optim.AdamW(model.parameters(), **cfg["optimizer"])
    callbacks = [Printer(), EarlyStopping(**cfg["early_stopping"])]
    engine = Engine(model, optimizer, callbacks)
    engine.run(parts["train"], parts["val"], cfg["epochs"], cfg["batch_size"])
    loss, auc = engine.score(*parts["test"])
    print(f"test: log loss {loss:.4f}, auc {auc:.4f}")
    torch.save(model.state_dict(), ROOT / "churn.pt")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ROOT / "config.yaml")
