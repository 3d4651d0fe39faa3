import json
import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HERE = Path(__file__).parent


class LoadWindows(Dataset):
    """Sliding windows over the hourly table; the target is the load `horizon` hours ahead."""

    def __init__(self, table, history, horizon):
        self.table = torch.from_numpy(table)
        self.history, self.horizon = history, horizon

    def __len__(self):
        return len(self.table) - self.history - self.horizon + 1

    def __getitem__(self, i):
        past = self.table[i:i + self.history]
        return past, self.table[i + self.history + self.horizon - 1, 0]


def read_table(path, scaler_path):
    raw = np.genfromtxt(path, delimiter=",", names=True, usecols=(1, 2, 3, 4))
    scaler = json.loads(scaler_path.read_text())
    columns = []
    for name in ("load_mw", "temp_c", "wind_ms"):
        columns.append((raw[name] - scaler[name]["mean"]) / scaler[name]["std"])
    angle = 2 * np.pi * raw["hour"] / 24
    columns += [np.sin(angle), np.cos(angle)]
    return np.stack(columns, axis=1).astype(np.float32), scaler["load_mw"]["std"]


class Forecaster(nn.Module):
    def __init__(self, n_inputs, hidden, layers):
        super().__init__()
        self.rnn = nn.GRU(n_inputs, hidden, layers, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, past):
        states, _ = self.rnn(past)
        return past[:, -1, 0] + self.out(states[:, -1]).squeeze(-1)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        d, t = cfg["data"], cfg["train"]
        torch.manual_seed(t["seed"])
        table, self.mw = read_table(HERE / d["table"], HERE / d["scaler"])
        cut = len(table) - d["val_hours"]
        self.train_dl = DataLoader(LoadWindows(table[:cut], d["history"], d["horizon"]),
                                   batch_size=t["batch_size"], shuffle=True)
        self.val_dl = DataLoader(LoadWindows(table[cut:], d["history"], d["horizon"]), batch_size=256)
        self.model = Forecaster(table.shape[1], **cfg["model"])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=t["lr"])
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, step_size=2, gamma=0.4)
        self.loss_fn = nn.SmoothL1Loss()

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for past, target in self.train_dl:
            self.opt.zero_grad()
            loss = self.loss_fn(self.model(past), target)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["train"]["clip"])
            self.opt.step()
            total += loss.item()
        self.sched.step()
        return total / len(self.train_dl)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        err = [(self.model(past) - target).abs() for past, target in self.val_dl]
        return torch.cat(err).mean().item() * self.mw

    def fit(self):
        for epoch in range(1, self.cfg["train"]["epochs"] + 1):
            loss = self.train_epoch()
            print(f"epoch {epoch} | loss {loss:.5f} | val MAE {self.validate():.1f} MW")


if __name__ == "__main__":
    torch.set_num_threads(1)
    with open(HERE / "config.toml", "rb") as fh:
        Trainer(tomllib.load(fh)).fit()
