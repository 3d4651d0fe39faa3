import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import yaml
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler, SequentialSampler


class Windows(Dataset):
    """history hours of (load, temp, calendar) -> next `horizon` loads; `lo`/`hi` bound the target hours."""

    def __init__(self, load, temp, lo, hi, hist, hor):
        t = np.arange(len(load))
        hod, dow = t % 24, (t // 24) % 7
        self.cal = np.stack([np.sin(2 * np.pi * hod / 24), np.cos(2 * np.pi * hod / 24), (dow >= 5)], 1)
        self.feat = np.concatenate([load[:, None], temp[:, None], self.cal], 1).astype(np.float32)
        self.load, self.lo, self.hist, self.hor = load.astype(np.float32), max(lo, hist), hist, hor
        self.n = hi - hor + 1 - self.lo

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        # i: list of window numbers (one whole batch)
        t = self.lo + np.asarray(i)[:, None]
        back, ahead = t + np.arange(-self.hist, 0), t + np.arange(self.hor)
        x = self.feat[back].transpose(0, 2, 1)
        fut = self.cal[ahead].astype(np.float32).reshape(len(t), -1)
        # the network predicts the change against the load 24 h before
        return tuple(map(torch.from_numpy, (np.ascontiguousarray(x), fut, self.load[ahead - 24], self.load[ahead])))


class CausalConv(nn.Module):
    def __init__(self, c, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(c, c, 3, dilation=dilation)

    def forward(self, x):
        return x + F.gelu(self.conv(F.pad(x, (self.pad, 0))))


class QuantileTCN(nn.Module):
    def __init__(self, c, hist, hor, nq):
        super().__init__()
        self.hor, self.nq = hor, nq
        self.inp = nn.Conv1d(5, c, 1)
        self.blocks = nn.Sequential(*[CausalConv(c, d) for d in (1, 2, 4, 8)])
        self.head = nn.Sequential(nn.Linear(3 * c + 3 * hor, 64), nn.GELU(), nn.Linear(64, hor * nq))

    def forward(self, x, fut, ref):
        h = self.blocks(self.inp(x))
        hor = self.hor
        last = h[:, :, -1]
        day = h[:, :, -24:-24 + hor].mean(2)
        z = torch.cat([last, day, h.mean(2), fut], 1)
        return self.head(z).view(-1, hor, self.nq) + ref.unsqueeze(-1)


def pinball(pred, target, q):
    d = target.unsqueeze(-1) - pred
    return torch.maximum(q * d, (q - 1) * d).mean()


def run(cfg):
    torch.manual_seed(cfg["seed"])
    raw = np.loadtxt(cfg["file"], delimiter=",", skiprows=1)
    T = len(raw)
    t_val, t_test = T - 24 * (cfg["val_days"] + cfg["test_days"]), T - 24 * cfg["test_days"]
    mu, sd = raw[:t_val].mean(0), raw[:t_val].std(0)
    z = (raw - mu) / sd
    mk = lambda a, b: Windows(z[:, 0], z[:, 1], a, b, cfg["history"], cfg["horizon"])
    tr, va, te = mk(0, t_val), mk(t_val, t_test), mk(t_test, T)
    dl = DataLoader(tr, batch_size=None, sampler=BatchSampler(RandomSampler(tr), cfg["batch_size"], drop_last=True))
    q = torch.tensor(cfg["quantiles"])
    net = QuantileTCN(cfg["channels"], cfg["history"], cfg["horizon"], len(q))
    opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * len(dl), eta_min=1e-5)

    def score(ds):
        net.eval()
        P, Y = [], []
        with torch.no_grad():
            for x, f, r, y in DataLoader(ds, batch_size=None, sampler=BatchSampler(SequentialSampler(ds), 512, False)):
                P.append(net(x, f, r))
                Y.append(y)
        return torch.cat(P), torch.cat(Y)

    for ep in range(cfg["epochs"]):
        net.train()
        acc = []
        for x, f, r, y in dl:
            loss = pinball(net(x, f, r), y, q)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            acc.append(loss.item())
        P, Y = score(va)
        print(f"epoch {ep:2d} pinball train {np.mean(acc):.4f} val {pinball(P, Y, q).item():.4f}")
    P, Y = score(te)
    mae = (P[..., 1] - Y).abs().mean().item() * sd[0]
    cover = ((Y >= P[..., 0]) & (Y <= P[..., 2])).float().mean().item()
    naive = np.mean([np.abs(z[t:t + cfg["horizon"], 0] - z[t - 24:t - 24 + cfg["horizon"], 0]).mean()
                     for t in range(t_test, T - cfg["horizon"] + 1)]) * sd[0]
    print(f"test pinball {pinball(P, Y, q).item():.4f}  median MAE {mae:.1f} MW (yesterday: {naive:.1f} MW)  80% band covers {cover:.3f}")


if __name__ == "__main__":
    run(yaml.safe_load(open(sys.argv[1])))
