import argparse
import csv
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split

HERE = Path(__file__).resolve().parent


class RentalDataset(Dataset):
    """Hourly bike rentals; the target is log1p(rentals), standardised."""

    def __init__(self, path):
        with open(path) as fh:
            rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(fh)]
        hour = np.array([r["hour"] for r in rows])
        wday = np.array([r["weekday"] for r in rows])
        cont = np.array([[r["temp_c"], r["humidity"], r["wind_kmh"], r["rain_mm"]] for r in rows])
        cont = (cont - cont.mean(0)) / cont.std(0)
        weekend = (wday >= 5).astype(float)
        holiday = np.array([r["holiday"] for r in rows])
        hour_1h = np.eye(24)[hour.astype(int)]
        self.age = torch.tensor([r["age_days"] for r in rows], dtype=torch.float32)
        x = np.column_stack([hour_1h, weekend, holiday, cont, self.age.numpy() / 720])
        y = np.log1p(np.array([r["rentals"] for r in rows]))
        self.y_mean, self.y_std = y.mean(), y.std()
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor((y - self.y_mean) / self.y_std, dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        # older observations count a bit less
        weight = 0.5 ** (self.age[i] / 720)
        return self.x[i], self.y[i], weight


class DemandNet(nn.Module):
    def __init__(self, n_in, hidden=96, p=0.05):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, hidden), nn.SiLU(), nn.Dropout(p),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.net(x)


class WeightedLogCosh(nn.Module):
    def forward(self, pred, target, weight):
        err = pred - target
        value = err + nn.functional.softplus(-2.0 * err) - math.log(2.0)
        return (weight * value).mean() / weight.mean()


def r2_score(model, loader):
    model.eval()
    preds, targets = [], []
    with torch.no_grad():
        for x, y, _ in loader:
            preds.append(model(x).flatten())
            targets.append(y)
    p, t = torch.cat(preds), torch.cat(targets)
    return (1 - ((p - t) ** 2).sum() / ((t - t.mean()) ** 2).sum()).item(), (p - t).abs().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv", default=str(HERE / "hourly_rentals.csv"))
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()

    torch.manual_seed(17)
    data = RentalDataset(args.csv)
    n_val = len(data) // 5
    train_set, val_set = random_split(data, [len(data) - n_val, n_val])
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=256)

    model = DemandNet(data.x.shape[1])
    criterion = WeightedLogCosh()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)

    for epoch in range(args.epochs):
        model.train()
        losses = []
        for x, y, w in train_loader:
            loss = criterion(model(x), y, w)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        r2, mae = r2_score(model, val_loader)
        print(f"epoch {epoch:02d} loss={np.mean(losses):.4f} val_r2={r2:.3f} val_mae={mae:.3f}")


if __name__ == "__main__":
    main()
