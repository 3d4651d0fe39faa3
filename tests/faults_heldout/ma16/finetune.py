"""Adapts the tool-wear model of the old machine to the readings of the new one."""
import json
from argparse import ArgumentParser

import numpy as np
import torch

from toolwear.net import WearNet
from toolwear.tuner import Tuner


def main():
    ap = ArgumentParser()
    ap.add_argument("--config", default="finetune.json")
    cfg = json.load(open(ap.parse_args().config))
    torch.manual_seed(cfg["seed"])

    base = torch.load(cfg["checkpoint"])
    z = np.load(cfg["data"])
    x = (torch.from_numpy(z["readings"]) - base["x_mean"]) / base["x_std"]
    y = (torch.from_numpy(z["wear"]) - base["y_mean"]) / base["y_std"]
    perm = torch.randperm(len(y))
    hold, train = perm[: cfg["holdout"]], perm[cfg["holdout"]:]

    net = WearNet(x.shape[1])
    net.load_state_dict(base["state"])
    tuner = Tuner(net, cfg["lr"], cfg["momentum"], cfg["dtype"])
    print(f"old model on new machine: R2 {tuner.r2(x[hold], y[hold]):.3f}")

    for epoch in range(1, cfg["epochs"] + 1):
        order = train[torch.randperm(len(train))]
        losses = [tuner.step(x[i], y[i]) for i in order.split(cfg["batch_size"])]
        if epoch % 5 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}  mse {np.mean(losses):.4f}  holdout R2 {tuner.r2(x[hold], y[hold]):.3f}")


if __name__ == "__main__":
    main()
