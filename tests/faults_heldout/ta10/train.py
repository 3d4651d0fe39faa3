import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn

from wave_model import TideNet

WINDOW = 96
BATCH = 32
STEPS = 500


def read_levels(path):
    with open(path, newline="") as f:
        return np.array([float(row["level_cm"]) for row in csv.DictReader(f)], dtype=np.float32)


class Windows(torch.utils.data.Dataset):
    def __init__(self, series, length, stride):
        self.series, self.length = torch.from_numpy(series), length
        self.starts = list(range(0, len(series) - length - 1, stride))

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        return self.series[s:s + self.length], self.series[s + 1:s + self.length + 1]


def backtest(model, series, origins, horizon=6):
    """Roll the model forward from each origin and compare with what came."""
    model.eval()
    idx = torch.tensor(origins)
    hist = torch.stack([torch.from_numpy(series[i - WINDOW:i]) for i in origins])
    truth = torch.stack([torch.from_numpy(series[i:i + horizon]) for i in origins])
    last = torch.from_numpy(series)[idx - 1]
    preds = []
    with torch.no_grad():
        for _ in range(horizon):
            nxt = model(hist[:, -WINDOW:])[:, -1:]
            preds.append(nxt)
            hist = torch.cat([hist, nxt], 1)
    preds = torch.cat(preds, 1)
    model.train()
    err = ((preds - truth) ** 2).mean(0)
    naive = ((last[:, None] - truth) ** 2).mean(0)
    return err, naive


def main():
    torch.manual_seed(2)
    level = read_levels(Path(__file__).parent / "harbour.csv")
    split = int(len(level) * 0.8)
    mean, std = level[:split].mean(), level[:split].std()
    z = (level - mean) / std
    loader = torch.utils.data.DataLoader(Windows(z[:split], WINDOW, 4), batch_size=BATCH, shuffle=True, drop_last=True)
    valid = torch.utils.data.DataLoader(Windows(z[split:], WINDOW, WINDOW), batch_size=64)
    model = TideNet()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    mse = nn.MSELoss()

    step = 0
    while step < STEPS:
        for x, y in loader:
            loss = mse(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            if step % 100 == 0:
                with torch.no_grad():
                    val = np.mean([mse(model(a), b).item() for a, b in valid])
                print(f"step {step}: train {loss.item():.5f} valid {val:.5f}")
            if step == STEPS:
                break

    origins = list(range(split + WINDOW, len(z) - 6, 11))
    err, naive = backtest(model, z, origins)
    for h, (e, n) in enumerate(zip(err.tolist(), naive.tolist()), 1):
        print(f"backtest +{h}h  mse {e:.4f}  (persistence {n:.4f})")


if __name__ == "__main__":
    main()
