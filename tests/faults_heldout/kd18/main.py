import sys
import tomllib

import torch
from torch.utils.data import DataLoader

from mmoe import MultiGate, PumpData, Trainer


def main(path="pumps.toml"):
    with open(path, "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["train"]["seed"])
    d = cfg["data"]
    train = PumpData(d["path"], "train", d["seed"])
    val, test = (PumpData(d["path"], p, d["seed"], train.stats) for p in ("val", "test"))
    share = train.state.bincount() / len(train)
    print("states", [round(s, 2) for s in share.tolist()], "rows", len(train), len(val), len(test))
    model = MultiGate(train.x.shape[1], **cfg["model"])
    trainer = Trainer(model, cfg["train"], DataLoader(train, d["batch"], shuffle=True), DataLoader(val, 500))
    trainer.fit()
    _, r = trainer.evaluate(DataLoader(test, 500))
    print("test: R2 energy %.3f, R2 wear %.3f, state accuracy %.3f" % (1 - r["energy"], 1 - r["wear"], r["acc"]))
    print("task sigmas:", {t: round(torch.exp(0.5 * v).item(), 3) for t, v in model.log_var.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
