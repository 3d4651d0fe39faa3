"""One-hour-ahead load forecast for a substation."""
import configparser
import sys

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

cfg = configparser.ConfigParser()
cfg.read("settings.ini")
D, T = cfg["data"], cfg["training"]


class Windows(Dataset):
    """history hours in, the load of the next hour out."""

    def __init__(self, x, y, known, start, stop, history):
        self.x, self.y, self.h = x, y, history
        self.ends = [e for e in range(start, stop) if known[e]]

    def __len__(self):
        return len(self.ends)

    def __getitem__(self, i):
        e = self.ends[i]
        return self.x[e - self.h:e], self.y[e]


class Forecaster(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.gru = nn.GRU(n_in, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.gru(x)
        # the head gives the change from the last known hour
        return x[:, -1, 0] + self.head(out[:, -1]).squeeze(-1)


def features(df):
    ts = pd.to_datetime(df["timestamp"])
    nxt = ts + pd.Timedelta(hours=1)
    hour = 2 * np.pi * nxt.dt.hour / 24
    cal = np.stack([np.sin(hour), np.cos(hour), np.sin(2 * hour), np.cos(2 * hour), (nxt.dt.day_of_week >= 5).astype(float)], 1)
    return cal


def main():
    torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else T.getint("seed"))
    history = D.getint("history")
    df = pd.read_csv(D["file"])
    known = df["load_mw"].notna().to_numpy()
    df[["load_mw", "temp_c"]] = df[["load_mw", "temp_c"]].ffill()
    n = len(df)
    test_from = n - 24 * D.getint("test_days")
    val_from = test_from - 24 * D.getint("valid_days")

    raw = df[["load_mw", "temp_c"]].to_numpy()
    mean, std = raw[:val_from].mean(0), raw[:val_from].std(0)
    scaled = (raw - mean) / std
    x = torch.tensor(np.concatenate([scaled, features(df)], 1), dtype=torch.float32)
    y = torch.tensor(scaled[:, 0], dtype=torch.float32)

    train = Windows(x, y, known, history, val_from, history)
    val = Windows(x, y, known, val_from, test_from, history)
    test = Windows(x, y, known, test_from, n, history)
    loader = DataLoader(train, T.getint("batch_size"), shuffle=True, drop_last=True)

    model = Forecaster(x.shape[1], T.getint("hidden"))
    opt = torch.optim.Adam(model.parameters(), lr=T.getfloat("learning_rate"))
    epochs = T.getint("epochs")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs, eta_min=1e-4)
    loss_fn = nn.HuberLoss(delta=0.5)

    @torch.no_grad()
    def evaluate(part):
        model.eval()
        pred, true = [], []
        for xb, yb in DataLoader(part, 256):
            pred.append(model(xb))
            true.append(yb)
        pred, true = torch.cat(pred), torch.cat(true)
        return loss_fn(pred, true).item(), (pred - true).abs().mean().item() * std[0]

    best = None
    for epoch in range(1, epochs + 1):
        model.train()
        seen = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), T.getfloat("clip"))
            opt.step()
            seen += loss.item()
        sched.step()
        vl, mae = evaluate(val)
        if best is None or vl < best[0]:
            best = (vl, epoch, {k: v.detach().clone() for k, v in model.state_dict().items()})
        print(f"epoch {epoch:2d}: train {seen / len(loader):.5f}  val {vl:.5f}  val MAE {mae:.2f} MW")

    model.load_state_dict(best[2])
    _, mae = evaluate(test)
    load = raw[:, 0]
    naive = np.abs(load[test_from:] - load[test_from - 1:-1]).mean()
    print(f"best epoch {best[1]}; test MAE {mae:.2f} MW (last value: {naive:.2f} MW)")


if __name__ == "__main__":
    main()
