import json
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

from net import ConditionNet
from windows import load


class Fitter:
    def __init__(self, cfg):
        torch.manual_seed(cfg["seed"])
        parts = load(cfg["data"])
        self.train = DataLoader(parts["train"], batch_size=cfg["batch"], shuffle=True)
        self.valid = DataLoader(parts["valid"], batch_size=256)
        self.net = ConditionNet(**cfg["net"])
        self.opt = torch.optim.AdamW(self.net.parameters(), **cfg["optim"])
        self.epochs = cfg["epochs"]
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, self.epochs * len(self.train))

    def sweep(self):
        self.net.train()
        tot = n = hit = 0
        for x, y in self.train:
            out = self.net(x)
            loss = nn.functional.cross_entropy(out, y)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.sched.step()
            tot += loss.item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        return tot / n, hit / n

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        tot = n = hit = 0
        for x, y in self.valid:
            out = self.net(x)
            tot += nn.functional.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        return tot / n, hit / n

    def run(self):
        for e in range(self.epochs):
            tr, va = self.sweep(), self.validate()
            print("%02d  train %.3f / %.3f   valid %.3f / %.3f" % (e, *tr, *va), flush=True)
        torch.save(self.net.state_dict(), "condition.pt")


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else "settings.json") as f:
        Fitter(json.load(f)).run()
