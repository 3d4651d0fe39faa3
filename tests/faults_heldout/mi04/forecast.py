import copy

import numpy as np
import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    """history of all channels, calendar + temperature of the horizon (day-ahead weather), load of the horizon"""

    def __init__(self, feats, load, history, horizon):
        self.f, self.y = torch.tensor(feats), torch.tensor(load)
        self.hist, self.hor = history, horizon

    def __len__(self):
        return len(self.y) - self.hist - self.hor + 1

    def __getitem__(self, i):
        a, b = i + self.hist, i + self.hist + self.hor
        past = torch.cat([self.f[i:a], self.y[i:a, None]], 1)
        return past.T, self.f[a:b].flatten(), self.y[a:b]


class Forecaster(nn.Module):
    def __init__(self, cin, fut, horizon, n_q, channels, hidden):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(cin, channels, 3, stride=2), nn.GELU(),
            nn.Conv1d(channels, channels, 3, stride=2), nn.GELU(),
            nn.Conv1d(channels, channels, 3, stride=2), nn.GELU(),
        )
        self.head = nn.Sequential(nn.LazyLinear(hidden), nn.GELU(), nn.Linear(hidden, horizon * n_q))
        self.n_q, self.horizon = n_q, horizon

    def forward(self, past, future):
        z = torch.cat([self.conv(past).flatten(1), past[:, -1, -6:], future], 1)
        out = self.head(z).view(-1, self.horizon, self.n_q)
        return past[:, -1, -1, None, None] + out


def pinball(pred, y, q):
    d = y.unsqueeze(-1) - pred
    return torch.maximum(q * d, (q - 1) * d).mean()


def main():
    cfg = yaml.safe_load(open("config.yaml"))
    tc = cfg["train"]
    torch.manual_seed(cfg["seed"])
    raw = np.loadtxt(cfg["data"], delimiter=",", skiprows=1, dtype=np.float32)
    hour, dow, temp, load = raw.T
    n = len(load)
    i1, i2 = int(n * .7), int(n * .85)
    t_mu, t_sd, l_mu, l_sd = temp[:i1].mean(), temp[:i1].std(), load[:i1].mean(), load[:i1].std()
    feats = np.stack([
        np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
        np.sin(4 * np.pi * hour / 24), np.cos(4 * np.pi * hour / 24),
        (dow >= 5).astype(np.float32), (temp - t_mu) / t_sd], 1).astype(np.float32)
    y = (load - l_mu) / l_sd

    def part(a, b):
        return Windows(feats[a:b], y[a:b], cfg["history"], cfg["horizon"])

    tr = DataLoader(part(0, i1), tc["batch_size"], shuffle=True)
    va, te = DataLoader(part(i1, i2), 256), DataLoader(part(i2, n), 256)
    q = torch.tensor(cfg["quantiles"])
    net = Forecaster(7, 6 * cfg["horizon"], cfg["horizon"], len(q), **cfg["model"])
    past, fut, _ = next(iter(va))
    net(past, fut)
    opt = torch.optim.AdamW(net.parameters(), lr=tc["lr"], weight_decay=tc["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, tc["epochs"])

    def run(loader):
        net.eval()
        with torch.no_grad():
            outs = [(net(p, f), t) for p, f, t in loader]
        return torch.cat([o for o, _ in outs]), torch.cat([t for _, t in outs])

    best, best_state, waited = float("inf"), None, 0
    for epoch in range(tc["epochs"]):
        net.train()
        tot = cnt = 0
        for p, f, t in tr:
            loss = pinball(net(p, f), t, q)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(t)
            cnt += len(t)
        sched.step()
        v = pinball(*run(va), q).item()
        print(f"{epoch:2d} train {tot / cnt:.4f} val {v:.4f}")
        if v < best:
            best, best_state, waited = v, copy.deepcopy(net.state_dict()), 0
        else:
            waited += 1
            if waited >= tc["patience"]:
                break
    net.load_state_dict(best_state)
    pred, t = run(te)
    cover = ((t >= pred[..., 0]) & (t <= pred[..., -1])).float().mean().item()
    mae = (pred[..., 1] - t).abs().mean().item() * l_sd
    print(f"test pinball {pinball(pred, t, q).item():.4f}  MAE {mae:.1f} kW  80% band covers {cover:.1%}")


if __name__ == "__main__":
    main()
