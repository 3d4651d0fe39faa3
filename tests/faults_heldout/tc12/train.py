"""Day-ahead electricity load: decomposition-linear forecaster (trend + remainder).

Split is by time. Everything worth knowing is logged at the end of an epoch."""
import csv
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HERE = Path(__file__).parent
LOOKBACK, HORIZON = 168, 24


class Windows(Dataset):
    def __init__(self, series, stride=1):
        self.w = torch.from_numpy(series).unfold(0, LOOKBACK + HORIZON, stride)

    def __len__(self):
        return len(self.w)

    def __getitem__(self, k):
        return self.w[k, :LOOKBACK], self.w[k, LOOKBACK:]


class TrendRemainder(nn.Module):
    def __init__(self, kernel=25):
        super().__init__()
        self.pad = kernel // 2
        self.avg = nn.AvgPool1d(kernel, stride=1)
        self.trend = nn.Linear(LOOKBACK, HORIZON)
        self.rest = nn.Linear(LOOKBACK, HORIZON)
        for m in (self.trend, self.rest):
            nn.init.constant_(m.weight, 1.0 / LOOKBACK)
            nn.init.zeros_(m.bias)

    def forward(self, x):
        padded = torch.cat([x[:, :1].expand(-1, self.pad), x, x[:, -1:].expand(-1, self.pad)], 1)
        trend = self.avg(padded.unsqueeze(1)).squeeze(1)
        return self.trend(trend) + self.rest(x - trend)


def load():
    mw = np.loadtxt(HERE / "load_mw.txt").astype(np.float32)
    cut = int(len(mw) * 0.8)
    mean, std = mw[:cut].mean(), mw[:cut].std()
    z = (mw - mean) / std
    return Windows(z[:cut]), Windows(z[cut:], stride=6), float(std)


@torch.no_grad()
def validate(model, loader, std):
    model.eval()
    err, naive = [], []
    for x, y in loader:
        err.append((model(x) - y).abs())
        naive.append((x[:, -168:-144] - y).abs())
    err, naive = torch.cat(err) * std, torch.cat(naive) * std
    return err, naive.mean().item()


def main():
    torch.manual_seed(2)
    train, val, std = load()
    loader = DataLoader(train, batch_size=64, shuffle=True)
    val_loader = DataLoader(val, batch_size=256)
    model = TrendRemainder()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    epochs = 16
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs, eta_min=1e-5)
    print(f"{len(train)} train windows, {len(val)} val windows")

    with open(HERE / "history.csv", "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["epoch", "lr", "train_mse", "val_mae"] + [f"mae_h{k + 1}" for k in range(HORIZON)]
                     + [f"wnorm_{n}" for n, _ in model.named_parameters()] + ["sec"])
        for epoch in range(epochs):
            started = time.time()
            model.train()
            acc = 0.0
            for x, y in loader:
                loss = nn.functional.mse_loss(model(x), y)
                opt.zero_grad()
                loss.backward()
                opt.step()
                acc += loss.item() * len(x)
            err, naive = validate(model, val_loader, std)
            row = [epoch, sched.get_last_lr()[0], acc / len(train), err.mean().item()] + err.mean(0).tolist()
            row += [p.norm().item() for p in model.parameters()] + [time.time() - started]
            out.writerow([f"{v:.5g}" for v in row])
            f.flush()
            sched.step()
            print(f"epoch {epoch:2d} train mse {acc / len(train):.4f} | val MAE {err.mean():.2f} MW "
                  f"(1 h {err[:, 0].mean():.2f}, 24 h {err[:, -1].mean():.2f}) | same hour last week {naive:.2f} MW")


if __name__ == "__main__":
    main()
