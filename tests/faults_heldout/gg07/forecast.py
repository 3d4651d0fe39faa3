import configparser
import os
import sys

import numpy as np
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, Dataset

HERE = os.path.dirname(os.path.abspath(__file__))


class Windows(Dataset):
    """(history of load + calendar + temperature, known future covariates) -> next day's load"""

    def __init__(self, series, start, stop, hist, horizon, stride):
        self.s, self.hist, self.hor = series, hist, horizon
        self.origins = np.arange(start + hist, stop - horizon + 1, stride)

    def __len__(self):
        return len(self.origins)

    def __getitem__(self, i):
        o = self.origins[i]
        past = self.s[o - self.hist:o]
        future = self.s[o:o + self.hor]
        return past.T.copy(), future[:, 1:].T.copy(), future[:, 0].copy()


class CausalBlock(nn.Module):
    def __init__(self, c, k, d, p):
        super().__init__()
        self.pad = (k - 1) * d
        self.conv = nn.Conv1d(c, 2 * c, k, dilation=d)
        self.mix = nn.Conv1d(c, c, 1)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        a, b = self.conv(nn.functional.pad(x, (self.pad, 0))).chunk(2, 1)
        return x + self.drop(self.mix(torch.tanh(a) * torch.sigmoid(b)))


class TCN(nn.Module):
    def __init__(self, n_in, n_cov, horizon, c, k, dilations, p):
        super().__init__()
        self.inp = nn.Conv1d(n_in, c, 1)
        self.blocks = nn.Sequential(*[CausalBlock(c, k, d, p) for d in dilations])
        self.ctx = nn.Linear(c, 2 * c)
        self.step = nn.Parameter(torch.randn(1, horizon, 8) * 0.1)
        self.dec = nn.Sequential(nn.Linear(2 * c + n_cov + 9, 48), nn.ReLU(), nn.Linear(48, 1))
        self.horizon = horizon

    def forward(self, past, cov):
        h = self.blocks(self.inp(past))[:, :, -1]
        ctx = torch.relu(self.ctx(h))[:, None].expand(-1, self.horizon, -1)
        yesterday = past[:, 0, -self.horizon:, None]
        z = torch.cat([ctx, cov.transpose(1, 2), self.step.expand(len(past), -1, -1), yesterday], -1)
        return self.dec(z).squeeze(-1) + yesterday.squeeze(-1)


def load_table(path):
    t = np.genfromtxt(path, delimiter=",", skip_header=1)
    hour, temp, load = t[:, 0].astype(int), t[:, 1], t[:, 2]
    hod, dow = hour % 24, hour // 24 % 7
    cal = np.stack([np.sin(2 * np.pi * hod / 24), np.cos(2 * np.pi * hod / 24),
                    np.sin(2 * np.pi * dow / 7), np.cos(2 * np.pi * dow / 7), (dow >= 5) * 1.0], 1)
    return load, temp, cal


def main(ini="forecast.ini"):
    c = configparser.ConfigParser()
    c.read(os.path.join(HERE, ini))
    d, m, t = c["data"], c["model"], c["train"]
    torch.manual_seed(t.getint("seed"))

    load, temp, cal = load_table(os.path.join(HERE, d["file"]))
    n = len(load)
    b1 = n - 24 * (d.getint("val_days") + d.getint("test_days"))
    b2 = n - 24 * d.getint("test_days")
    mu, sd = load[:b1].mean(), load[:b1].std()
    tm, ts = temp[:b1].mean(), temp[:b1].std()
    series = np.column_stack([(load - mu) / sd, (temp - tm) / ts, cal]).astype(np.float32)

    hist, hor = d.getint("history"), d.getint("horizon")
    tr = Windows(series, 0, b1, hist, hor, d.getint("stride"))
    va = Windows(series, b1, b2, hist, hor, 6)
    te = Windows(series, b2, n, hist, hor, 6)
    print(f"windows: {len(tr)} / {len(va)} / {len(te)}")
    loader = DataLoader(tr, batch_size=t.getint("batch"), shuffle=True, drop_last=True)

    net = TCN(series.shape[1], series.shape[1] - 1, hor, m.getint("channels"), m.getint("kernel"),
              [int(v) for v in m["dilations"].split(",")], m.getfloat("dropout"))
    opt = torch.optim.Adam(net.parameters(), lr=t.getfloat("lr"))
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.85)

    def mae(ds):
        net.eval()
        e, y, w = 0.0, 0, 0.0
        with torch.no_grad():
            for past, cov, target in DataLoader(ds, batch_size=256):
                e += (net(past, cov) - target).abs().sum().item()
                w += (past[:, 0, :hor] - target).abs().sum().item()
                y += target.numel()
        return e / y * sd, w / y * sd

    for ep in range(t.getint("epochs")):
        net.train()
        s = 0.0
        for past, cov, target in loader:
            loss = nn.functional.l1_loss(net(past, cov), target)
            opt.zero_grad()
            loss.backward()
            clip_grad_norm_(net.parameters(), t.getfloat("clip"))
            opt.step()
            s += loss.item()
        sched.step()
        print(f"epoch {ep:2d}: train MAE {s / len(loader) * sd:6.2f} kW   val MAE {mae(va)[0]:6.2f} kW")
    model_mae, naive = mae(te)
    print(f"test MAE {model_mae:.2f} kW (same hour last week: {naive:.2f} kW)")


if __name__ == "__main__":
    main(*sys.argv[1:])
