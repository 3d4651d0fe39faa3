"""Carry the regional forecaster over to a newly connected site."""
import json
import os
import random

import numpy as np
import torch
from torch.utils.data import DataLoader

from model import LoadTCN
from windows import LoadWindows, read_site

here = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(here, name)


class Run:
    def __init__(self, conf):
        self.conf = conf
        self.model = LoadTCN(horizon=conf["horizon"])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=conf["lr"], weight_decay=conf["weight_decay"])
        self.epoch = 0

    def resume(self, name):
        state = torch.load(path(name), map_location="cpu", weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch = state["epoch"]
        print(f"resumed {name} at epoch {self.epoch}")

    def train_epoch(self, loader):
        self.model.train()
        losses = []
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = torch.nn.functional.smooth_l1_loss(self.model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.conf["clip"])
            self.optimizer.step()
            losses.append(loss.item())
        self.epoch += 1
        return float(np.mean(losses))

    @torch.no_grad()
    def mae(self, loader):
        self.model.eval()
        err = [(self.model(x) - y).abs().mean(1) for x, y in loader]
        return torch.cat(err).mean().item()


def main():
    with open(path("settings.json")) as fh:
        conf = json.load(fh)
    random.seed(conf["seed"])
    np.random.seed(conf["seed"])
    torch.manual_seed(conf["seed"])

    table = read_site(path("site_kelso.csv"), conf["scale"])
    border = int(len(table) * 0.8)
    train = LoadWindows(table, 0, border, conf["past"], conf["horizon"])
    valid = LoadWindows(table, border, len(table), conf["past"], conf["horizon"])
    train_loader = DataLoader(train, batch_size=conf["batch_size"], shuffle=True)
    valid_loader = DataLoader(valid, batch_size=512)

    run = Run(conf)
    run.resume("regional.pt")
    print(f"before: val MAE {run.mae(valid_loader) * conf['scale']['load_std']:.3f} MW")
    for _ in range(conf["epochs"]):
        loss = run.train_epoch(train_loader)
        mae = run.mae(valid_loader) * conf["scale"]["load_std"]
        print(f"epoch {run.epoch:3d}  loss {loss:.5f}  val MAE {mae:.3f} MW")


if __name__ == "__main__":
    main()
