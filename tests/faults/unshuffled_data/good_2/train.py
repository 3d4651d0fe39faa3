"""Digit classification with early stopping and best-weight restoring."""
import copy
import json
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EarlyStopping:
    def __init__(self, monitor="val_loss", mode="min", patience=4, min_delta=0.0):
        self.monitor, self.mode, self.patience, self.min_delta = monitor, mode, patience, min_delta
        self.best, self.bad_epochs, self.state = None, 0, None

    def better(self, value):
        if self.best is None:
            return True
        return value < self.best - self.min_delta if self.mode == "min" else value > self.best + self.min_delta

    def update(self, logs, model):
        value = logs[self.monitor]
        if self.better(value):
            self.best, self.bad_epochs, self.state = value, 0, copy.deepcopy(model.state_dict())
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience


def make_loaders(batch_size):
    x, y = load_digits(return_X_y=True)
    x_train, x_val, y_train, y_val = train_test_split(x / 16, y, test_size=0.25, random_state=4, stratify=y)
    as_set = lambda a, b: TensorDataset(torch.tensor(a, dtype=torch.float32), torch.tensor(b))
    return DataLoader(as_set(x_train, y_train), batch_size, shuffle=True), DataLoader(as_set(x_val, y_val), 256)


class Experiment:
    def __init__(self, cfg):
        torch.manual_seed(cfg.get("seed", 0))
        self.cfg = cfg
        self.train_loader, self.val_loader = make_loaders(cfg.get("batch_size", 32))
        self.model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 10))
        self.loss = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.stopper = EarlyStopping(**cfg.get("early_stopping", {}))

    def fit(self):
        for epoch in range(self.cfg.get("epochs", 15)):
            logs = {"train_loss": self.train_epoch(), **self.validate()}
            print(f"epoch {epoch:2d} " + " ".join(f"{k}={v:.4f}" for k, v in logs.items()))
            if self.stopper.update(logs, self.model):
                print(f"early stop after epoch {epoch}")
                break
        self.model.load_state_dict(self.stopper.state)
        print("final", self.validate())

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(self.train_loader)

    def validate(self):
        self.model.eval()
        loss, hits, n = 0.0, 0, 0
        with torch.no_grad():
            for x, y in self.val_loader:
                out = self.model(x)
                loss += self.loss(out, y).item() * len(y)
                hits += (out.argmax(1) == y).sum().item()
                n += len(y)
        return {"val_loss": loss / n, "val_acc": hits / n}


if __name__ == "__main__":
    config = json.loads((Path(__file__).parent / "experiment.json").read_text())
    Experiment(config).fit()
