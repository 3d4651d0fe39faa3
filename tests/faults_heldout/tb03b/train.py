"""Credit default model. Reads loans.csv, trains a small MLP, reports AUC on the last months."""
from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from torch import nn

CSV_PATH = Path(__file__).resolve().parent / "loans.csv"
TARGET = "defaulted"
NOT_FEATURES = {"loan_id", TARGET}


@dataclass
class Table:
    x: torch.Tensor
    y: torch.Tensor
    columns: list[str]


def read_table(path: Path) -> Table:
    with path.open(newline="") as fh:
        reader = csv.DictReader(fh)
        columns = [c for c in reader.fieldnames if c not in NOT_FEATURES]
        x, y = [], []
        for row in reader:
            x.append([float(row[c]) for c in columns])
            y.append(float(row[TARGET]))
    return Table(torch.tensor(x), torch.tensor(y), columns)


class DefaultNet(nn.Module):
    def __init__(self, n_in: int, width: int = 32):
        super().__init__()
        self.fc1 = nn.Linear(n_in, width)
        self.fc2 = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        h = self.drop(F.relu(self.fc1(x)))
        h = self.drop(F.relu(self.fc2(h)))
        return self.out(h).squeeze(-1)


class Trainer:
    def __init__(self, table: Table, batch_size: int = 64, lr: float = 1e-3, seed: int = 77):
        torch.manual_seed(seed)
        cut = int(len(table.y) * 0.75)
        mean, std = table.x[:cut].mean(0), table.x[:cut].std(0).clamp_min(1e-6)
        x = (table.x - mean) / std
        self.x_train, self.y_train = x[:cut], table.y[:cut]
        self.x_val, self.y_val = x[cut:], table.y[cut:]
        self.batch_size = batch_size
        self.model = DefaultNet(x.shape[1])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr, weight_decay=1e-4)

    def fit(self, epochs: int):
        for epoch in range(1, epochs + 1):
            self.model.train()
            order = torch.randperm(len(self.y_train))
            losses = []
            for idx in order.split(self.batch_size):
                logits = self.model(self.x_train[idx])
                loss = F.binary_cross_entropy_with_logits(logits, self.y_train[idx])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                losses.append(loss.item())
            if epoch == 1 or epoch % 4 == 0:
                val_loss, auc = self.validate()
                print(f"epoch={epoch} train_bce={np.mean(losses):.4f} val_bce={val_loss:.4f} val_auc={auc:.4f}")

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        logits = self.model(self.x_val)
        loss = F.binary_cross_entropy_with_logits(logits, self.y_val).item()
        return loss, roc_auc_score(self.y_val.numpy(), torch.sigmoid(logits).numpy())


if __name__ == "__main__":
    table = read_table(CSV_PATH)
    print(f"{len(table.y)} loans, default rate {table.y.mean().item():.3f}")
    print("features:", ", ".join(table.columns))
    Trainer(table).fit(epochs=16)
