import copy
import json
import pathlib

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = pathlib.Path(__file__).parent


class EarlyStopping:
    def __init__(self, mode="min", patience=5, min_delta=0.0):
        assert mode in ("min", "max")
        self.sign = 1.0 if mode == "max" else -1.0
        self.patience, self.min_delta = patience, min_delta
        self.best, self.wait, self.state = -np.inf, 0, None

    def update(self, value, model):
        score = self.sign * value
        if score > self.best + self.min_delta:
            self.best, self.wait = score, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["data"]["seed"])
        self._data()
        sizes = [64, *cfg["model"]["hidden"]]
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.ReLU(), nn.Dropout(cfg["model"]["dropout"])]
        self.model = nn.Sequential(*layers, nn.Linear(sizes[-1], 10))
        o = cfg["optim"]
        self.opt = torch.optim.SGD(self.model.parameters(), lr=o["lr"], momentum=o["momentum"],
                                   weight_decay=o["weight_decay"])
        self.crit = nn.CrossEntropyLoss()

    def _data(self):
        d = self.cfg["data"]
        digits = load_digits()
        x, y = digits.data.astype("float32"), digits.target
        x, self.xte, y, self.yte = train_test_split(x, y, test_size=0.2, stratify=y, random_state=d["seed"])
        xtr, xva, ytr, yva = train_test_split(x, y, test_size=d["val_fraction"], stratify=y, random_state=d["seed"])
        mu, sd = xtr.mean(0), xtr.std(0) + 1.0
        t = lambda a: torch.from_numpy((a - mu) / sd)
        self.train_dl = DataLoader(TensorDataset(t(xtr), torch.from_numpy(ytr)), d["batch_size"], shuffle=True)
        self.val = t(xva), torch.from_numpy(yva)
        self.test = t(self.xte), torch.from_numpy(self.yte)

    @torch.no_grad()
    def evaluate(self, xy):
        self.model.eval()
        out = self.model(xy[0])
        return {"loss": self.crit(out, xy[1]).item(), "acc": (out.argmax(1) == xy[1]).float().mean().item()}

    def fit(self):
        t = self.cfg["trainer"]
        stopper = EarlyStopping(t["mode"], t["patience"], t["min_delta"])
        for epoch in range(t["max_epochs"]):
            self.model.train()
            tot = 0.0
            for x, y in self.train_dl:
                self.opt.zero_grad()
                loss = self.crit(self.model(x), y)
                loss.backward()
                self.opt.step()
                tot += loss.item()
            logs = {"train_loss": tot / len(self.train_dl)}
            logs.update({f"val_{k}": v for k, v in self.evaluate(self.val).items()})
            print(epoch, {k: round(v, 4) for k, v in logs.items()})
            if stopper.update(logs[t["monitor"]], self.model):
                print("early stop at epoch", epoch)
                break
        self.model.load_state_dict(stopper.state)
        print("test", self.evaluate(self.test))


if __name__ == "__main__":
    Trainer(json.loads((HERE / "config.json").read_text())).fit()
