import argparse
from pathlib import Path

import torch
import yaml

from gnn.data import GraphFamilies, batch_graphs
from gnn.engine import Accumulation, ConsoleLogger, CosineDecay, Engine, GradientClip
from gnn.model import GIN


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="families.yaml")
    args = ap.parse_args()
    cfg = yaml.safe_load((Path(__file__).resolve().parent / args.config).read_text())
    torch.manual_seed(cfg["seed"])

    train = GraphFamilies(cfg["graphs"]["train"], cfg["seed"])
    val = GraphFamilies(cfg["graphs"]["val"], cfg["seed"] + 1)
    loader = lambda ds, n, sh: torch.utils.data.DataLoader(ds, n, shuffle=sh, collate_fn=batch_graphs, drop_last=sh)
    model = GIN(train.num_features, len(train.classes), **cfg["model"])
    opt = torch.optim.SGD(model.parameters(), **cfg["sgd"])
    engine = Engine(
        model, opt,
        loader(train, cfg["micro_batch"], True), loader(val, 100, False),
        hooks=[Accumulation(cfg["accumulate"]), GradientClip(cfg["clip"]),
               CosineDecay(opt, cfg["epochs"]), ConsoleLogger()],
    )
    engine.run(cfg["epochs"])


if __name__ == "__main__":
    main()
