import json
import sys

import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset, random_split

from trainer import KeepBest, PrintLogs, Trainer


def build_model(channels, kernel, n_classes):
    layers, c_in = [], 1
    for c in channels:
        layers += [
            nn.Conv1d(c_in, c, kernel, padding=kernel // 2, bias=False),
            nn.BatchNorm1d(c),
            nn.ReLU(inplace=True),
            nn.MaxPool1d(4),
        ]
        c_in = c
    layers += [nn.Flatten(), nn.Dropout(0.2), nn.LazyLinear(n_classes)]
    return nn.Sequential(*layers)


def main(path="settings.json"):
    with open(path) as f:
        s = json.load(f)
    torch.manual_seed(s["seed"])

    raw = np.load(s["dataset"])
    signal = torch.from_numpy(raw["signal"].astype(np.float32)).unsqueeze(1) / 50.0
    target = torch.from_numpy(raw["call_type"].astype(np.int64))
    train_set, val_set = random_split(TensorDataset(signal, target), [0.8, 0.2])
    train_loader = DataLoader(train_set, s["batch_size"], shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, 100)

    model = build_model(n_classes=len(s["classes"]), **s["model"])
    model(signal[:2])
    opt_args = dict(s["optimizer"])
    optimizer = getattr(optim, opt_args.pop("name"))(model.parameters(), **opt_args)
    scheduler = optim.lr_scheduler.StepLR(optimizer, **s["schedule"])

    best = KeepBest()
    trainer = Trainer(model, nn.CrossEntropyLoss(), optimizer, scheduler, [PrintLogs(), best])
    trainer.fit(train_loader, val_loader, s["epochs"])
    print(f"best val_acc {best.best:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
