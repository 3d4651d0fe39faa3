from fnmatch import fnmatch

import torch
from torch import nn


class Trainer:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        self._freeze(config.get("freeze", []))
        self.optimizer = torch.optim.AdamW(
            [p for p in model.parameters() if p.requires_grad],
            lr=config["lr"],
            weight_decay=config["weight_decay"],
        )
        self.criterion = nn.CrossEntropyLoss(label_smoothing=config["label_smoothing"])
        self.history = []

    def _freeze(self, patterns):
        for name, param in self.model.named_parameters():
            if any(fnmatch(name, pattern) for pattern in patterns):
                param.requires_grad_(False)

    def fit(self, train, val):
        x, y = train
        for epoch in range(self.config["epochs"]):
            self.model.train()
            losses = []
            for rows in torch.randperm(len(x)).split(self.config["batch_size"]):
                loss = self.criterion(self.model(x[rows]), y[rows])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                losses.append(loss.item())
            record = {"epoch": epoch, "loss": sum(losses) / len(losses), "val_acc": self.score(*val)}
            self.history.append(record)
            print(" ".join(f"{k}={v:.4f}" if isinstance(v, float) else f"{k}={v}" for k, v in record.items()))
        return self.history

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        hits = sum((self.model(a).argmax(1) == b).sum().item() for a, b in zip(x.split(256), y.split(256)))
        return hits / len(y)
