"""Hourly bike rentals: count regression."""
import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class Rentals(Dataset):
    def __init__(self, path):
        with open(path) as fh:
            rows = list(csv.DictReader(fh))
        hour = np.array([float(r["hour"]) for r in rows]) / 24 * 2 * np.pi
        temp = (np.array([float(r["temp_c"]) for r in rows]) - 12.0) / 8.0
        rain = np.array([float(r["rain_mm"]) for r in rows]) / 2.0
        work = np.array([float(r["workday"]) for r in rows])
        feats = np.stack([np.sin(hour), np.cos(hour), np.sin(2 * hour), np.cos(2 * hour), temp, rain, work], axis=1)
        self.x = torch.tensor(feats, dtype=torch.float32)
        self.y = torch.tensor([float(r["rentals"]) for r in rows])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class RateNet(nn.Module):
    """Predicts the expected number of rentals, which is positive."""

    def __init__(self, n_in, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.rate = nn.Linear(hidden, 1)

    def forward(self, x):
        return nn.functional.softplus(self.rate(self.body(x))).squeeze(-1)


def mean_abs_error(model, loader):
    model.eval()
    err = []
    with torch.no_grad():
        for x, y in loader:
            err.append((model(x) - y).abs())
    return torch.cat(err).mean().item()


def main():
    torch.manual_seed(10)
    data = Rentals(Path(__file__).parent / "rentals.csv")
    train_set, val_set = random_split(data, [0.8, 0.2])
    train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=512)

    model = RateNet(data.x.shape[1])
    criterion = nn.PoissonNLLLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    print(f"mean rentals per hour {data.y.mean():.2f}, std {data.y.std():.2f}")
    for epoch in range(1, 21):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 2 == 0:
            print(f"epoch {epoch:2d}: loss {total / len(train_loader):8.3f}  val MAE {mean_abs_error(model, val_loader):.2f}")


if __name__ == "__main__":
    main()
