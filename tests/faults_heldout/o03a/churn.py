import configparser
import csv
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


@dataclass
class Settings:
    csv_path: str
    hidden: int
    layers: int
    dropout: float
    lr: float
    weight_decay: float
    batch_size: int
    epochs: int
    seed: int

    @classmethod
    def from_ini(cls, path):
        c = configparser.ConfigParser()
        c.read(path)
        return cls(
            csv_path=c["data"]["csv_path"],
            hidden=c["network"].getint("hidden"),
            layers=c["network"].getint("layers"),
            dropout=c["network"].getfloat("dropout"),
            lr=c["training"].getfloat("lr"),
            weight_decay=c["training"].getfloat("weight_decay"),
            batch_size=c["training"].getint("batch_size"),
            epochs=c["training"].getint("epochs"),
            seed=c["training"].getint("seed"),
        )


def load_table(path):
    with open(path, newline="") as f:
        r = csv.reader(f)
        header = next(r)
        table = np.array([[float(v) for v in row] for row in r], dtype=np.float32)
    return table[:, :-1], table[:, -1], header[:-1]


def one_hot_contract(x, header):
    """contract is 0 = monthly, 1 = one year, 2 = two years"""
    j = header.index("contract")
    onehot = np.eye(3, dtype=np.float32)[x[:, j].astype(int)]
    return np.concatenate([np.delete(x, j, axis=1), onehot], axis=1)


class ChurnNet(nn.Module):
    def __init__(self, n_in, s):
        super().__init__()
        blocks = []
        width = n_in
        for _ in range(s.layers):
            blocks += [nn.Linear(width, s.hidden), nn.ReLU(), nn.Dropout(s.dropout)]
            width = s.hidden
        self.body = nn.Sequential(*blocks)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(1)


class ChurnTrainer:
    def __init__(self, s):
        self.s = s
        torch.manual_seed(s.seed)
        x, y, header = load_table(s.csv_path)
        x = one_hot_contract(x, header)
        xt, xv, yt, yv = train_test_split(x, y, test_size=0.25, random_state=s.seed, stratify=y)
        scaler = StandardScaler().fit(xt)
        self.xt = torch.from_numpy(scaler.transform(xt)).float()
        self.xv = torch.from_numpy(scaler.transform(xv)).float()
        self.yt, self.yv = torch.from_numpy(yt), torch.from_numpy(yv)
        self.net = ChurnNet(self.xt.shape[1], s)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=s.lr, weight_decay=s.weight_decay)
        self.criterion = nn.BCEWithLogitsLoss()

    def one_epoch(self):
        self.net.train()
        losses = []
        for idx in torch.randperm(len(self.xt)).split(self.s.batch_size):
            self.opt.zero_grad()
            loss = self.criterion(self.net(self.xt[idx]), self.yt[idx])
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        logits = self.net(self.xv)
        loss = self.criterion(logits, self.yv).item()
        acc = ((logits > 0).float() == self.yv).float().mean().item()
        return loss, acc, roc_auc_score(self.yv.numpy(), logits.numpy())

    def fit(self):
        print("churn rate", round(self.yt.mean().item(), 3), "| features", self.xt.shape[1])
        for e in range(self.s.epochs):
            train_loss = self.one_epoch()
            loss, acc, auc = self.validate()
            print(f"epoch {e + 1:3d} train {train_loss:.4f} val {loss:.4f} acc {acc:.4f} auc {auc:.4f}")


if __name__ == "__main__":
    ChurnTrainer(Settings.from_ini("churn.ini")).fit()
