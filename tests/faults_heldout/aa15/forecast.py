import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HISTORY, AHEAD = 36, 6


class HourlyLoad(Dataset):
    """The last HISTORY hours and the load AHEAD hours later."""

    def __init__(self, table, rows):
        self.rows = rows
        hour = table[:, 0] % 24
        self.series = torch.from_numpy(
            np.stack(
                [table[:, 3], table[:, 2], np.sin(hour * 2 * math.pi / 24), np.cos(hour * 2 * math.pi / 24), table[:, 1] >= 5], 1
            ).astype(np.float32)
        )

    def scale(self, mean, std):
        self.series = (self.series - mean) / std
        return self

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, k):
        t = self.rows[k]
        return self.series[t - HISTORY : t], self.series[t + AHEAD - 1, :1]


class Forecaster(nn.Module):
    def __init__(self, n_in=5, hidden=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(n_in, hidden, 5, stride=2), nn.ReLU(), nn.Conv1d(hidden, hidden, 5, stride=2), nn.ReLU(), nn.Flatten()
        )
        self.fc = nn.Sequential(nn.LazyLinear(64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, x):
        return self.fc(self.conv(x.transpose(1, 2))).squeeze(-1)


class LogCosh(nn.Module):
    """Quadratic near zero, linear in the tails."""

    def forward(self, pred, target):
        err = pred - target
        return (err + nn.functional.softplus(-2.0 * err) - math.log(2.0)).mean()


def collect(model, loader):
    model.eval()
    preds, truth = [], []
    with torch.no_grad():
        for x, y in loader:
            preds.append(model(x))
            truth.append(y.flatten())
    return torch.cat(preds).numpy(), torch.cat(truth).numpy()


def main():
    torch.manual_seed(14)
    table = np.genfromtxt("load_hourly.csv", delimiter=",", skip_header=1)
    split = int(0.8 * len(table))
    rows = np.arange(HISTORY, len(table) - AHEAD)
    train, test = HourlyLoad(table, rows[rows < split - AHEAD]), HourlyLoad(table, rows[rows >= split])
    mean, std = train.series[:split].mean(0), train.series[:split].std(0)
    train.scale(mean, std), test.scale(mean, std)
    train_loader, test_loader = DataLoader(train, 64, shuffle=True), DataLoader(test, 256)

    model, criterion = Forecaster(), LogCosh()
    model(torch.zeros(1, HISTORY, 5))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    unit = std[0].item()
    for epoch in range(1, 9):
        model.train()
        losses = []
        for x, y in train_loader:
            loss = criterion(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        p, t = collect(model, test_loader)
        print(f"epoch {epoch} loss {np.mean(losses):.4f} test MAE {np.abs(p - t).mean() * unit:.2f} MW (load std {t.std() * unit:.2f} MW)")


if __name__ == "__main__":
    main()
