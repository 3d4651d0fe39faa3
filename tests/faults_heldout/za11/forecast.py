"""Next-day bicycle counts per station. Poisson likelihood; gaps carry no loss and are flagged in the input."""
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import poisson_nll_loss

from counts import calendar, load_station_days

LAGS, BATCH, EPOCHS, LR = 14, 64, 9, 5e-4
torch.manual_seed(8)

stations, dates, counts = load_station_days(Path(__file__).parent / "bike_counters.csv")
cal = calendar(dates).astype(np.float32)
log = np.log1p(counts)
n_train = int(0.8 * len(dates))
level = np.nanmean(log[:, :n_train], 1, keepdims=True)     # per station, training period only
signal = np.nan_to_num(log - level)
known = np.isfinite(counts).astype(np.float32)

X, S, Y, base, is_train = [], [], [], [], []
for i in range(len(stations)):
    for t in range(LAGS, len(dates)):
        if not known[i, t]:
            continue
        X.append(np.concatenate([signal[i, t - LAGS:t], known[i, t - LAGS:t], cal[t]]))
        S.append(i)
        Y.append(counts[i, t])
        base.append(level[i, 0])
        is_train.append(t < n_train)
X, S = torch.from_numpy(np.stack(X)).float(), torch.tensor(S)
Y, base = torch.tensor(Y), torch.tensor(base)
is_train = torch.tensor(is_train)
tr, va = is_train.nonzero().squeeze(1), (~is_train).nonzero().squeeze(1)


class CountNet(nn.Module):
    def __init__(self, d, n_stations):
        super().__init__()
        self.station = nn.Embedding(n_stations, 4)
        self.net = nn.Sequential(nn.Linear(d + 4, 48), nn.Tanh(), nn.Linear(48, 24), nn.Tanh(), nn.Linear(24, 1))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x, s, base):
        return base + self.net(torch.cat([x, self.station(s)], 1)).squeeze(1)   # log rate


net = CountNet(X.shape[1], len(stations))
opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
print(f"{len(stations)} stations, {len(dates)} days, {100 * (1 - known.mean()):.1f}% silent, "
      f"{len(tr)} training / {len(va)} validation targets")


@torch.no_grad()
def evaluate(idx):
    net.eval()
    lr = net(X[idx], S[idx], base[idx])
    nll = poisson_nll_loss(lr, Y[idx]).item()
    mape = ((lr.exp() - Y[idx]).abs().sum() / Y[idx].sum()).item()
    return nll, mape


yesterday = torch.exp(X[va, LAGS - 1] + base[va])
print(f"yesterday's count as forecast: wape {100 * ((yesterday - Y[va]).abs().sum() / Y[va].sum()).item():.1f}%")

for epoch in range(EPOCHS):
    net.train()
    running = 0.0
    for idx in tr[torch.randperm(len(tr))].split(BATCH):
        loss = poisson_nll_loss(net(X[idx], S[idx], base[idx]), Y[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 20.0)
        opt.step()
        running += loss.item() * len(idx)
    sched.step()
    nll, wape = evaluate(va)
    print(f"epoch {epoch:2d}  nll {running / len(tr):.2f}  val nll {nll:.2f}  val wape {100 * wape:.1f}%")
