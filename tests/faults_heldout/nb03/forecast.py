import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent
HISTORY = 48
EPOCHS = 12
BATCH = 128


def read_load():
    with open(HERE / "load.csv") as fh:
        return np.array([float(row["load_mw"]) for row in csv.DictReader(fh)], dtype=np.float32)


def make_windows(series, length):
    """One row per hour t: the recent history and the load of hour t."""
    inputs, targets = [], []
    for t in range(length, len(series)):
        inputs.append(series[t - length + 1 : t + 1])
        targets.append(series[t])
    return torch.from_numpy(np.stack(inputs)), torch.tensor(np.array(targets))


class LoadNet(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        _, h = self.rnn(x.unsqueeze(-1))
        return self.out(h[-1]).squeeze(-1)


def main():
    torch.manual_seed(3)
    load = read_load()
    cut = int(len(load) * 0.8)
    mean, std = load[:cut].mean(), load[:cut].std()
    scaled = (load - mean) / std

    x_train, y_train = make_windows(scaled[:cut], HISTORY)
    x_val, y_val = make_windows(scaled[cut:], HISTORY)
    print("train windows", tuple(x_train.shape), "val windows", tuple(x_val.shape))

    model = LoadNet()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    loss_fn = nn.MSELoss()

    for epoch in range(1, EPOCHS + 1):
        model.train()
        order = torch.randperm(len(x_train))
        total = 0.0
        for idx in order.split(BATCH):
            opt.zero_grad()
            loss = loss_fn(model(x_train[idx]), y_train[idx])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            rmse = (model(x_val) - y_val).pow(2).mean().sqrt().item() * std
        print(f"[{epoch:02d}] train mse {total / len(x_train):.5f}   val rmse {rmse:.1f} MW")


if __name__ == "__main__":
    main()
