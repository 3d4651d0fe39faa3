import configparser
import copy
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent


def cox_loss(risk, time, event):
    """Negative log partial likelihood (Breslow) per event, the whole set is the risk set."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, 0)
    return -((risk - log_cum) * event).sum() / event.sum()


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    return (((diff > 0).double() + 0.5 * (diff == 0).double()) * earlier).sum().item() / earlier.sum().item()


def baseline_survival(risk, time, event, at):
    hazard = 0.0
    for t in torch.sort(time[(event > 0) & (time <= at)]).values:
        hazard += 1.0 / risk[time >= t].exp().sum().item()
    return float(np.exp(-hazard))


class RiskNet(nn.Module):
    def __init__(self, d, hidden, dropout):
        super().__init__()
        self.skip = nn.Linear(d, 1, bias=False)
        self.net = nn.Sequential(nn.Linear(d, hidden), nn.SELU(), nn.Dropout(dropout), nn.Linear(hidden, 1, bias=False))

    def forward(self, x):
        return (self.skip(x) + self.net(x)).squeeze(1)


def main():
    cfg = configparser.ConfigParser()
    cfg.read(HERE / "cox.ini")
    seed = cfg.getint("fit", "seed")
    torch.manual_seed(seed)
    table = np.loadtxt(HERE / cfg["data"]["file"], delimiter=",", skiprows=1)
    perm = np.random.default_rng(seed).permutation(len(table))
    n1, n2 = cfg.getint("data", "train"), cfg.getint("data", "val")
    parts = np.split(table[perm], [n1, n1 + n2])
    mu, sd = parts[0][:, :-2].mean(0), parts[0][:, :-2].std(0)
    sets = [(torch.tensor((p[:, :-2] - mu) / sd, dtype=torch.float32), torch.tensor(p[:, -2], dtype=torch.float32),
             torch.tensor(p[:, -1], dtype=torch.float32)) for p in parts]
    (x, t, e), (xv, tv, ev), (xt, tt, et) = sets
    print(f"{len(x)} patients, {int(e.sum())} events, median follow-up {t.median():.1f} months")

    net = RiskNet(x.shape[1], cfg.getint("model", "hidden"), cfg.getfloat("model", "dropout"))
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.getfloat("fit", "lr"),
                            weight_decay=cfg.getfloat("fit", "weight_decay"))
    best, best_state, wait = float("inf"), None, 0
    for epoch in range(1, cfg.getint("fit", "epochs") + 1):
        net.train()
        loss = cox_loss(net(x), t, e)
        opt.zero_grad()
        loss.backward()
        opt.step()
        net.eval()
        with torch.no_grad():
            val = cox_loss(net(xv), tv, ev).item()
        if val < best - 1e-4:
            best, best_state, wait = val, copy.deepcopy(net.state_dict()), 0
        else:
            wait += 1
        if epoch % 25 == 0 or epoch == 1:
            with torch.no_grad():
                print(f"epoch {epoch:3d} train {loss.item():.4f} val {val:.4f} val C {concordance(net(xv), tv, ev):.3f}")
        if wait >= cfg.getint("fit", "patience"):
            print(f"no improvement for {wait} epochs, stopped at {epoch}")
            break
    net.load_state_dict(best_state)
    net.eval()
    with torch.no_grad():
        r, rt = net(x), net(xt)
        print(f"train C {concordance(r, t, e):.3f}, test C {concordance(rt, tt, et):.3f}, test loss {cox_loss(rt, tt, et).item():.4f} "
              f"(equal risks {cox_loss(torch.zeros_like(rt), tt, et).item():.4f})")
        s0 = baseline_survival(r, t, e, 24.0)
        surv = s0 ** rt.exp()
        for name, sel in (("low", rt < rt.quantile(1 / 3)), ("mid", (rt >= rt.quantile(1 / 3)) & (rt < rt.quantile(2 / 3))),
                          ("high", rt >= rt.quantile(2 / 3))):
            print(f"  {name:4s} risk third: predicted 24-month survival {surv[sel].mean():.2f}, observed events {int(et[sel].sum())}")


if __name__ == "__main__":
    main()
