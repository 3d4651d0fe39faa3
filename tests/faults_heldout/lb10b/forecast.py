import numpy as np
import torch
import torch.nn as nn


class LoadSeries:
    """Hourly feeder load in MW with the outside temperature; the last weeks are for validation."""

    SITE_MEAN = (52.0, 11.0)
    SITE_STD = (12.0, 7.0)

    def __init__(self, path, context=24, holdout=24 * 35):
        raw = np.loadtxt(path, delimiter=";", skiprows=1, usecols=(1, 2))
        z = (raw - self.SITE_MEAN) / self.SITE_STD
        hour = 2 * np.pi * (np.arange(len(z)) % 24) / 24
        feats = np.column_stack([z, np.sin(hour), np.cos(hour)])
        self.feats = torch.tensor(feats, dtype=torch.float32)
        self.context = context
        last = len(feats) - context
        self.train_starts = torch.arange(0, last - holdout)
        self.val_starts = torch.arange(last - holdout + context, last)

    def batch(self, starts):
        win = starts[:, None] + torch.arange(self.context)
        return self.feats[win], self.feats[starts + self.context, 0]


class Forecaster(nn.Module):
    def __init__(self, n_feat=4, hidden=32):
        super().__init__()
        self.gru = nn.GRU(n_feat, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.gru(x)
        return self.head(out[:, -1]).squeeze(-1)


class Runner:
    def __init__(self, series, lr=3e-3, batch=64):
        self.series, self.batch = series, batch
        self.model = Forecaster()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.crit = nn.MSELoss()

    def train_epoch(self):
        self.model.train()
        starts = self.series.train_starts
        seen, total = 0, 0.0
        for part in starts[torch.randperm(len(starts))].split(self.batch):
            x, y = self.series.batch(part)
            loss = self.crit(self.model(x), y)
            if not torch.isfinite(loss):
                continue
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            total += loss.item()
            seen += 1
        return total / max(seen, 1)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        x, y = self.series.batch(self.series.val_starts)
        pred = self.model(x)
        mae = (pred - y).abs().mean() * LoadSeries.SITE_STD[0]
        naive = (x[:, -1, 0] - y).abs().mean() * LoadSeries.SITE_STD[0]
        return self.crit(pred, y).item(), mae.item(), naive.item()


def main(epochs=12):
    torch.manual_seed(16)
    runner = Runner(LoadSeries("feeder.csv"))
    for e in range(epochs):
        tr = runner.train_epoch()
        mse, mae, naive = runner.validate()
        print(f"epoch {e + 1:2d}  train mse {tr:.4f}  val mse {mse:.4f}  val MAE {mae:.2f} MW (last-value {naive:.2f} MW)")


if __name__ == "__main__":
    main()
