import json
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Trainer:
    def __init__(self, settings):
        self.s = settings
        torch.manual_seed(settings["seed"])
        self.model = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1, bias=False), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 48, 3, padding=1, bias=False), nn.BatchNorm2d(48), nn.ReLU(),
            nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(192, 10))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=settings["lr"], momentum=0.9,
                                   nesterov=True, weight_decay=settings["weight_decay"])
        self.train_x, self.train_y = self.read("train")
        self.test_x, self.test_y = self.read("heldout")

    def read(self, part):
        with open(self.s[part + "_images"], "rb") as f:
            n, h, w = np.frombuffer(f.read(12), dtype="<u4")
            img = np.frombuffer(f.read(), dtype=np.uint8).reshape(n, 1, h, w)
        with open(self.s[part + "_labels"]) as f:
            lab = [int(line) for line in f if line.strip()]
        k = min(len(img), len(lab))
        x = torch.from_numpy(img[:k].astype(np.float32)) / 16.0
        return (x - 0.305) / 0.376, torch.tensor(lab[:k])

    def minibatches(self):
        perm = torch.randperm(len(self.train_x))
        for part in perm.split(self.s["batch"]):
            yield self.train_x[part], self.train_y[part]

    def fit(self):
        sched = torch.optim.lr_scheduler.OneCycleLR(
            self.opt, max_lr=self.s["lr"], epochs=self.s["epochs"],
            steps_per_epoch=-(-len(self.train_x) // self.s["batch"]))
        for ep in range(self.s["epochs"]):
            run = 0.0
            self.model.train()
            for x, y in self.minibatches():
                self.opt.zero_grad()
                loss = F.cross_entropy(self.model(x), y)
                loss.backward()
                self.opt.step()
                sched.step()
                run += loss.item() * len(y)
            ce, acc = self.test()
            print(f"ep {ep:2d} | train {run / len(self.train_x):.4f} | heldout {ce:.4f} | acc {100 * acc:.1f}%")

    @torch.no_grad()
    def test(self):
        self.model.eval()
        z = self.model(self.test_x)
        return F.cross_entropy(z, self.test_y).item(), (z.argmax(1) == self.test_y).float().mean().item()


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else "settings.json") as fh:
        Trainer(json.load(fh)).fit()
