import json
from pathlib import Path

import torch

from flows.data import load_splits
from flows.model import Flow
from flows.training import FlowTrainer, build_callbacks

ROOT = Path(__file__).resolve().parent


def main():
    cfg = json.loads((ROOT / "configs/flow.json").read_text())
    torch.manual_seed(cfg["seed"])
    dcfg = cfg["data"]
    splits = load_splits(ROOT / dcfg["csv"], dcfg["val_fraction"], dcfg["test_fraction"], cfg["seed"])
    flow = Flow(splits.train.shape[1], **cfg["flow"])
    trainer = FlowTrainer(flow, cfg, build_callbacks(cfg["callbacks"]))
    print(f"{len(splits.train)} training rows, base density nll {trainer.nll(splits.val):.4f}")
    trainer.fit(splits)
    print(f"test nll {trainer.nll(splits.test):.4f} (standardised), "
          f"{trainer.nll(splits.test) + splits.log_unit:.4f} (raw units)")


if __name__ == "__main__":
    main()
