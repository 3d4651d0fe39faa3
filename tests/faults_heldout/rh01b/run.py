import json

import torch
from torch.utils.data import DataLoader

from meters.dataset import MeterWindows
from meters.fit import fit
from meters.net import LoadNet


def main():
    with open("config.json") as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"])
    d = cfg["data"]
    common = dict(root=d["root"], history=d["history"], horizon=d["horizon"], keep_files=d["keep_files"])
    train = MeterWindows(split="train", stride=d["stride"], **common)
    valid = MeterWindows(split="valid", stride=d["stride"], **common)
    train_loader = DataLoader(train, batch_size=d["batch_size"], shuffle=True, drop_last=True)
    valid_loader = DataLoader(valid, batch_size=128)
    model = LoadNet(cfg["model"]["width"], d["horizon"])
    print(f"{len(train)} training windows, {len(valid)} validation windows")
    fit(model, train_loader, valid_loader, cfg["epochs"], cfg["lr"])


if __name__ == "__main__":
    main()
