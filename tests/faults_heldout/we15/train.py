"""Daily visitor forecasts (quantiles, raw counts)."""
import configparser
from pathlib import Path

import numpy as np
import torch

from tcn import QUANTILES, QuantileTCN, pinball

HERE = Path(__file__).resolve().parent


class Panel:
    def __init__(self, visits, history, horizon, holdout):
        self.y = torch.from_numpy(visits).float()
        self.dow = torch.eye(7)[torch.arange(visits.shape[1]) % 7]
        self.history, self.horizon = history, horizon
        self.split = visits.shape[1] - holdout

    def cut(self, stores, starts):
        h, f = self.history, self.horizon
        past = torch.stack([self.y[s, t : t + h] for s, t in zip(stores, starts)])
        future = torch.stack([self.y[s, t + h : t + h + f] for s, t in zip(stores, starts)])
        dp = torch.stack([self.dow[t : t + h] for t in starts])
        df = torch.stack([self.dow[t + h : t + h + f] for t in starts])
        return past, dp, df, future

    def random(self, n):
        stores = torch.randint(len(self.y), (n,)).tolist()
        starts = torch.randint(self.split - self.history - self.horizon + 1, (n,)).tolist()
        return self.cut(stores, starts)

    def holdout(self):
        for t in range(self.split - self.history, self.y.shape[1] - self.history - self.horizon + 1, self.horizon):
            yield self.cut(range(len(self.y)), [t] * len(self.y))


@torch.no_grad()
def backtest(model, panel):
    model.eval()
    loss, err, naive, inside = [], [], [], []
    for past, dp, df, future in panel.holdout():
        q = model(past, dp, df)
        loss.append(pinball(q, future).item())
        err.append((q[..., 2] - future).abs().sum().item() / future.sum().item())
        week = past[:, -7:].repeat(1, 2)
        naive.append((week - future).abs().sum().item() / future.sum().item())
        inside.append(((future >= q[..., 0]) & (future <= q[..., -1])).float().mean().item())
    model.train()
    return tuple(np.mean(v) for v in (loss, err, naive, inside))


def main():
    ini = configparser.ConfigParser()
    ini.read(HERE / "settings.ini")
    d, m, t = ini["data"], ini["model"], ini["train"]
    torch.manual_seed(t.getint("seed"))
    panel = Panel(np.load(HERE / "visits.npz")["visits"], d.getint("history"), d.getint("horizon"), d.getint("holdout_days"))
    model = QuantileTCN(d.getint("horizon"), m.getint("channels"), m.getint("levels"), m.getint("kernel"), m.getfloat("dropout"))
    opt = torch.optim.AdamW(model.parameters(), lr=t.getfloat("lr"), weight_decay=1e-3)
    accumulate, micro = t.getint("accumulate"), t.getint("micro_steps")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, t.getint("epochs") * micro // accumulate, eta_min=2e-5)
    print(f"{len(panel.y)} stores, quantiles {QUANTILES}, {micro // accumulate} updates per epoch")

    for epoch in range(t.getint("epochs")):
        recent = []
        for i in range(1, micro + 1):
            past, dp, df, future = panel.random(t.getint("batch"))
            loss = pinball(model(past, dp, df), future)
            (loss / accumulate).backward()
            recent.append(loss.item())
            if i % accumulate == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), t.getfloat("clip"))
                opt.step()
                opt.zero_grad(set_to_none=True)
                sched.step()
            if i % 40 == 0:
                print(f"epoch {epoch} micro-step {i}/{micro} pinball {np.mean(recent[-40:]):.3f}", flush=True)
        loss, wape, naive, cover = backtest(model, panel)
        print(f"epoch {epoch} backtest pinball {loss:.3f} WAPE {wape:.4f} (last week repeated {naive:.4f}) 80% interval covers {cover:.3f}", flush=True)


if __name__ == "__main__":
    main()
