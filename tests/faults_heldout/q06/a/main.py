import argparse
import json
import pathlib

import torch

from fraud import engine
from fraud.data import TransactionTable
from fraud.model import build


def cli():
    p = argparse.ArgumentParser(description="card fraud scorer")
    p.add_argument("--config", default="config.json")
    p.add_argument("--threads", type=int, default=1)
    return p.parse_args()


def main():
    args = cli()
    root = pathlib.Path(__file__).resolve().parent
    cfg = json.loads((root / args.config).read_text())
    torch.set_num_threads(args.threads)
    torch.manual_seed(cfg["seed"])
    table = TransactionTable(root / cfg["data"], cfg["val_fraction"])
    model = build(table.n_features, cfg["hidden"])
    engine.fit(model, table, cfg["train"])
    torch.save(model.state_dict(), root / "scorer.pt")


if __name__ == "__main__":
    main()
