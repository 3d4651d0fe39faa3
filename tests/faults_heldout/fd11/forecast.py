"""Day-ahead load forecast: a GRU encodes three days of hourly data, a head predicts the next 24 hours."""
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HISTORY, HORIZON = 72, 24
EPOCHS, BATCH, LR = 12, 64, 3e-3
TEST_DAYS = 28


class LoadWindows(Dataset):
    def __init__(self, load, temp, hours, start, stop, stride=1):
        calendar = np.stack([np.sin(2 * np.pi * hours / 24), np.cos(2 * np.pi * hours / 24),
                             ((hours // 24) % 7 >= 5).astype(np.float32)], 1)
        self.feat = torch.tensor(np.concatenate([load[:, None], temp[:, None], calendar], 1), dtype=torch.float32)
        self.load = torch.tensor(load, dtype=torch.float32)
        self.origins = range(start + HISTORY, stop - HORIZON + 1, stride)

    def __len__(self):
        return len(self.origins)

    def __getitem__(self, k):
        t = self.origins[k]
        past = self.feat[t - HISTORY:t]
        known_future = self.feat[t:t + HORIZON, 1:].flatten()  # weather forecast and calendar
        return past, known_future, self.load[t:t + HORIZON]


class GRUForecaster(nn.Module):
    def __init__(self, n_feat=5, n_future=4 * HORIZON, hidden=48):
        super().__init__()
        self.gru = nn.GRU(n_feat, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden + n_future, 96), nn.ReLU(), nn.Linear(96, HORIZON))

    def forward(self, past, future):
        _, h = self.gru(past)
        return self.head(torch.cat([h[-1], future], 1))


def main():
    torch.manual_seed(0)
    z = np.load(Path(__file__).parent / "load_hourly.npz")
    load, temp = z["load"], z["temp"]
    hours = np.arange(len(load))
    cut = len(load) - 24 * TEST_DAYS
    l_mean, l_std = load[:cut].mean(), load[:cut].std()
    t_mean, t_std = temp[:cut].mean(), temp[:cut].std()
    args = ((load - l_mean) / l_std, (temp - t_mean) / t_std, hours)
    train = DataLoader(LoadWindows(*args, 0, cut, stride=2), BATCH, shuffle=True)
    test = DataLoader(LoadWindows(*args, cut - HISTORY, len(load), stride=6), 256)

    week_ago = load[cut - 168:len(load) - 168]
    print(f"seasonal naive MAE {np.abs(week_ago - load[cut:]).mean():.1f} MW")

    model = GRUForecaster()
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    mse = nn.MSELoss()
    for epoch in range(EPOCHS):
        model.train()
        total = 0.0
        for past, fut, y in train:
            loss = mse(model(past, fut), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item()
        sched.step()
        model.eval()
        with torch.no_grad():
            err = torch.cat([model(p, f) - y for p, f, y in test])
        print(f"epoch {epoch + 1:2d}  train MSE {total / len(train):.4f}  test MSE {err.pow(2).mean():.4f}  test MAE {err.abs().mean() * l_std:.1f} MW")


if __name__ == "__main__":
    main()
