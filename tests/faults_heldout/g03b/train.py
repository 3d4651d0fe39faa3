"""Predict the comfort index of a room from station readings."""
import csv
import random
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split

READINGS = Path(__file__).with_name("readings.csv")
COLUMNS = ["pressure", "temperature", "humidity", "co2", "lux", "altitude", "noise", "occupants"]
TARGET = "comfort"


class Readings(Dataset):
    def __init__(self, path):
        rows = []
        with open(path, newline="") as fh:
            for rec in csv.DictReader(fh):
                rows.append([float(rec[c]) for c in COLUMNS] + [float(rec[TARGET])])
        table = torch.tensor(rows, dtype=torch.float32)
        self.x, self.y = table[:, :-1], table[:, -1:]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def build_model(n_in, hidden=48):
    return nn.Sequential(
        nn.Linear(n_in, hidden), nn.Tanh(),
        nn.Linear(hidden, hidden), nn.Tanh(),
        nn.Linear(hidden, 1),
    )


def r2_score(model, loader):
    model.eval()
    preds, targets = [], []
    with torch.no_grad():
        for x, y in loader:
            preds.append(model(x))
            targets.append(y)
    p, t = torch.cat(preds), torch.cat(targets)
    mse = torch.mean((p - t) ** 2)
    return mse.item(), (1 - mse / t.var(unbiased=False)).item()


def main():
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    data = Readings(READINGS)
    n_test = len(data) // 5
    train, test = random_split(data, [len(data) - n_test, n_test], generator=torch.Generator().manual_seed(5))
    train_loader = DataLoader(train, batch_size=32, shuffle=True)
    test_loader = DataLoader(test, batch_size=256)

    model = build_model(len(COLUMNS))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    loss_fn = nn.MSELoss()

    for epoch in range(25):
        model.train()
        acc = 0.0
        for x, y in train_loader:
            optimizer.zero_grad(set_to_none=True)
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            acc += loss.item() * x.shape[0]
        if epoch % 2 == 0 or epoch == 24:
            mse, r2 = r2_score(model, test_loader)
            print(f"epoch={epoch} train_mse={acc / len(train):.4f} test_mse={mse:.4f} r2={r2:.3f}", flush=True)


if __name__ == "__main__":
    main()
