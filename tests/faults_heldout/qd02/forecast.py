"""Day-ahead load forecast: one week of history in, the next 12 hours out."""
import argparse
import datetime as dt

import numpy as np
import torch
import torch.nn as nn

HISTORY, HORIZON = 168, 12


def load_csv(path):
    stamp, load, temp = [], [], []
    for line in open(path).read().splitlines()[1:]:
        s, l, t = line.split(",")
        stamp.append(dt.datetime.strptime(s, "%Y-%m-%d %H"))
        load.append(float(l))
        temp.append(float(t))
    hour = np.array([s.hour for s in stamp])
    day = np.array([s.weekday() for s in stamp])
    cal = np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24), (day >= 5) * 1.0, (day == 4) * 1.0], 1)
    return np.array(load), np.array(temp), cal


class Windows(torch.utils.data.Dataset):
    def __init__(self, series, target, start, stop):
        self.series, self.target = series, target
        self.first = np.arange(start, stop - HISTORY - HORIZON + 1)

    def __len__(self):
        return len(self.first)

    def __getitem__(self, i):
        a = self.first[i]
        b = a + HISTORY
        # calendar of the hours to forecast is known in advance, load and temperature are not
        return self.series[a:b].T, self.series[b:b + HORIZON, 2:].reshape(-1), self.target[b:b + HORIZON]


class Forecaster(nn.Module):
    def __init__(self, channels=6, width=24):
        super().__init__()
        layers, c = [], channels
        for stride in (2, 2, 3):
            layers += [nn.Conv1d(c, width, 5, stride=stride, padding=2), nn.GELU()]
            c = width
        self.conv = nn.Sequential(*layers)
        self.head = nn.Sequential(nn.Linear(width * 14 + HORIZON * 4 + 24, 96), nn.GELU(), nn.Dropout(0.1), nn.Linear(96, HORIZON))

    def forward(self, x, cal):
        # residual on the same hours of the day before
        z = torch.cat([self.conv(x).flatten(1), cal, x[:, 0, -24:]], 1)
        return x[:, 0, -24:-24 + HORIZON] + self.head(z)


def evaluate(model, loader, scale):
    model.eval()
    err, naive, n = 0.0, 0.0, 0
    with torch.no_grad():
        for x, cal, y in loader:
            err += (model(x, cal) - y).abs().sum().item()
            naive += (x[:, 0, -24:-24 + HORIZON] - y).abs().sum().item()
            n += y.numel()
    return err / n * scale, naive / n * scale


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--batch", type=int, default=64)
    args = p.parse_args()
    torch.manual_seed(0)

    load, temp, cal = load_csv("load_hourly.csv")
    n = len(load)
    cut1, cut2 = int(n * 0.72), int(n * 0.86)
    m, s = load[:cut1].mean(), load[:cut1].std()
    tm, ts = temp[:cut1].mean(), temp[:cut1].std()
    series = np.concatenate([((load - m) / s)[:, None], ((temp - tm) / ts)[:, None], cal], 1).astype(np.float32)
    target = series[:, 0].copy()

    # the blocks follow each other in time and share no hour
    train = Windows(series, target, 0, cut1)
    val = Windows(series, target, cut1, cut2)
    test = Windows(series, target, cut2, n)
    dl = torch.utils.data.DataLoader
    train_dl = dl(train, batch_size=args.batch, shuffle=True)
    val_dl, test_dl = dl(val, batch_size=256), dl(test, batch_size=256)

    model = Forecaster()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=3 * args.lr, total_steps=args.epochs * len(train_dl))
    best, keep = float("inf"), None
    for epoch in range(args.epochs):
        model.train()
        run = 0.0
        for x, c, y in train_dl:
            loss = nn.functional.mse_loss(model(x, c), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item()
        mae, naive = evaluate(model, val_dl, s)
        if mae < best:
            best, keep = mae, {k: v.clone() for k, v in model.state_dict().items()}
        print(f"{epoch}: mse {run / len(train_dl):.4f}  val MAE {mae:.2f} MW  (day before: {naive:.2f})")
    model.load_state_dict(keep)
    print("test MAE %.2f MW, day before %.2f MW" % evaluate(model, test_dl, s))


main()
