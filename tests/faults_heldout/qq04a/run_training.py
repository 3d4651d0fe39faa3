import json
import os
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

from sonar.augment import Chain
from sonar.clips import Clips
from sonar.net import SonarNet

NAMES = ["upsweep", "downsweep", "strike", "swell", "beat", "warble"]


class Trainer:
    def __init__(self, settings, folder):
        run = settings["run"]
        torch.manual_seed(run["seed"])
        self.epochs = run["epochs"]
        train = Clips(os.path.join(folder, "clips", "train.npz"), Chain(settings["augment"]))
        valid = Clips(os.path.join(folder, "clips", "valid.npz"))
        self.train_loader = DataLoader(train, batch_size=run["batch_size"], shuffle=True)
        self.valid_loader = DataLoader(valid, batch_size=200)
        self.net = SonarNet(**settings["net"])
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=run["lr"], weight_decay=run["weight_decay"])
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, self.epochs * len(self.train_loader))
        self.loss = nn.CrossEntropyLoss()

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            self.net.train()
            total, n = 0.0, 0
            for wave, kind in self.train_loader:
                self.opt.zero_grad()
                loss = self.loss(self.net(wave), kind)
                loss.backward()
                self.opt.step()
                self.sched.step()
                total += loss.item() * len(kind)
                n += len(kind)
            vloss, vacc, _ = self.validate()
            print(f"epoch {epoch:2d}: train loss {total / n:.3f}, valid loss {vloss:.3f}, valid accuracy {vacc:.3f}", flush=True)

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        total, table = 0.0, torch.zeros(len(NAMES), 2)
        for wave, kind in self.valid_loader:
            out = self.net(wave)
            total += self.loss(out, kind).item() * len(kind)
            right = (out.argmax(1) == kind).float()
            table[:, 0] += torch.bincount(kind, weights=right, minlength=len(NAMES))
            table[:, 1] += torch.bincount(kind, minlength=len(NAMES))
        n = table[:, 1].sum().item()
        return total / n, table[:, 0].sum().item() / n, table[:, 0] / table[:, 1]


if __name__ == "__main__":
    folder = os.path.dirname(os.path.abspath(__file__))
    name = sys.argv[1] if len(sys.argv) > 1 else "settings.json"
    with open(os.path.join(folder, name)) as f:
        trainer = Trainer(json.load(f), folder)
    trainer.fit()
    _, acc, per = trainer.validate()
    for label, a in zip(NAMES, per.tolist()):
        print(f"  {label:<10s}{a:.2f}")
