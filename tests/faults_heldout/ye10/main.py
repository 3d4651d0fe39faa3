import json
import random
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from trainer import Trainer

HERE = Path(__file__).parent
HP = json.loads((HERE / "hparams.json").read_text())


class Scans(Dataset):
    def __init__(self, split, jitter=False):
        with np.load(HERE / "scans" / "meter_digits.npz") as z:
            pick = z["split"] == split
            self.x = z["image"][pick]
            self.y = z["digit"][pick]
        self.jitter = jitter

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = torch.from_numpy(self.x[i].astype(np.float32)).div(255).sub(0.3).div(0.35)
        if self.jitter:
            x = torch.roll(x, (random.randint(-1, 1), random.randint(-1, 1)), (0, 1))
        return x.unsqueeze(0), int(self.y[i])


def network(width, dropout):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
        nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(width, 2 * width, 3, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(dropout), nn.Linear(8 * width, 10),
    )


def show(r):
    print(" ".join(f"{k}={v:.4f}" if isinstance(v, float) else f"{k}={v}" for k, v in r.items()))


if __name__ == "__main__":
    random.seed(HP["seed"])
    torch.manual_seed(HP["seed"])
    train = DataLoader(Scans(0, jitter=True), batch_size=HP["batch_size"], shuffle=True, drop_last=True)
    val = DataLoader(Scans(1), batch_size=200)
    model = network(HP["width"], HP["dropout"])
    opt = torch.optim.SGD(model.parameters(), lr=HP["lr"], momentum=0.9, weight_decay=5e-4, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, HP["epochs"])
    Trainer(model, opt, sched, hooks=[show]).fit(train, val, HP["epochs"], classes=10)
