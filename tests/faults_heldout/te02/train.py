import tomllib

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

with open("config.toml", "rb") as fh:
    CFG = tomllib.load(fh)


class Windows(Dataset):
    """(window of the past, calendar of the target hour) -> load of the target hour"""

    def __init__(self, series, calendar, first, last, window):
        self.series, self.calendar, self.window = series, calendar, window
        self.targets = range(first, last)

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, i):
        t = self.targets[i]
        past = torch.cat([self.series[t - self.window:t], self.calendar[t - self.window:t]], dim=1)
        return past, self.calendar[t], self.series[t, 0]


class LoadNet(nn.Module):
    def __init__(self, n_in, n_cal, hidden):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden + n_cal, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, past, cal):
        _, h = self.rnn(past)
        step = self.head(torch.cat([h[-1], cal], dim=1)).squeeze(1)
        return past[:, -1, 0] + step


def prepare():
    df = pd.read_csv(CFG["csv"])
    k = CFG["split_hour"]
    raw = df[["load_mw", "temp"]].to_numpy("float32")
    mean, std = raw[:k].mean(0), raw[:k].std(0)
    t = np.arange(len(df))
    cal = np.stack([np.sin(2 * np.pi * t / 24), np.cos(2 * np.pi * t / 24),
                    np.sin(4 * np.pi * t / 24), np.cos(4 * np.pi * t / 24),
                    ((t // 24) % 7 >= 5)], axis=1).astype("float32")
    return torch.from_numpy((raw - mean) / std), torch.from_numpy(cal), float(std[0])


def evaluate(model, loader):
    model.eval()
    se = persist = n = 0.0
    with torch.no_grad():
        for past, cal, y in loader:
            se += ((model(past, cal) - y) ** 2).sum().item()
            persist += ((past[:, -1, 0] - y) ** 2).sum().item()
            n += len(y)
    return se / n, persist / n


def main():
    torch.manual_seed(CFG["seed"])
    series, cal, unit = prepare()
    k, w = CFG["split_hour"], CFG["window"]
    train = DataLoader(Windows(series, cal, w, k, w), CFG["batch_size"], shuffle=True)
    valid = DataLoader(Windows(series, cal, k, len(series), w), 256)

    model = LoadNet(2 + cal.shape[1], cal.shape[1], CFG["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=CFG["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, CFG["epochs"] * len(train))
    for epoch in range(1, CFG["epochs"] + 1):
        model.train()
        run, n = 0.0, 0
        for past, c, y in train:
            loss = ((model(past, c) - y) ** 2).mean()
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            run += loss.item() * len(y)
            n += len(y)
        mse, naive = evaluate(model, valid)
        print(f"{epoch:3d} train {run / n:.4f} valid {mse:.4f} | rmse {mse ** 0.5 * unit:.2f} MW "
              f"(last value: {naive ** 0.5 * unit:.2f} MW)")


if __name__ == "__main__":
    main()
