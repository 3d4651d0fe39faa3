"""Cox model with a small network for the risk score, partial likelihood over the whole cohort."""
import argparse
import csv
from pathlib import Path

import torch
from torch import nn


def load(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    genes = [k for k in rows[0] if k[0] == "g" and k[1:].isdigit()]
    x = [[float(r["age"]), float(r["sex"] == "F"), float(r["stage"]), float(r["smoker"])]
         + [float(r[g]) for g in genes] for r in rows]
    t = torch.tensor([float(r["months"]) for r in rows])
    d = torch.tensor([r["died"] == "1" for r in rows])
    return torch.tensor(x), t, d


def cox_nll(risk, t, died):
    """Minus the log partial likelihood per observed death (Breslow ties)."""
    order = torch.argsort(t, descending=True)
    risk, died, t = risk[order], died[order], t[order]
    at_risk = torch.logcumsumexp(risk, 0)
    # tied times share the largest risk set
    last = torch.searchsorted(-t, -t, right=True) - 1
    return -(risk - at_risk[last])[died].mean()


def c_index(risk, t, died):
    earlier = (t[:, None] < t[None, :]) & died[:, None]
    diff = risk[:, None] - risk[None, :]
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good * earlier).sum().item() / earlier.sum().item()


class Risk(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.linear = nn.Linear(d, 1, bias=False)
        self.hidden = nn.Linear(d, 12)
        self.out = nn.Linear(12, 1, bias=False)
        self.drop = nn.Dropout(0.4)

    def forward(self, x):
        return (self.linear(x) + self.out(self.drop(torch.tanh(self.hidden(x))))).squeeze(1)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--file", type=Path, default=Path(__file__).parent / "cohort.csv")
    ap.add_argument("--updates", type=int, default=600)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--decay", type=float, default=5.0)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    x, t, died = load(a.file)
    pick = torch.randperm(len(x))
    fit, test = pick[:800], pick[800:]
    mu, sd = x[fit].mean(0), x[fit].std(0)
    x = (x - mu) / sd

    net = Risk(x.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=a.decay)
    flat = torch.zeros(len(x))
    print(f"deaths {int(died[fit].sum())}/{len(fit)}; equal risks: fit {cox_nll(flat[fit], t[fit], died[fit]):.3f} "
          f"test {cox_nll(flat[test], t[test], died[test]):.3f}")
    for step in range(1, a.updates + 1):
        net.train()
        loss = cox_nll(net(x[fit]), t[fit], died[fit])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            net.eval()
            with torch.no_grad():
                r = net(x)
                tl = cox_nll(r[test], t[test], died[test])
            print(f"{step:4d}  nll {loss.item():.3f}  test nll {tl:.3f}  "
                  f"c-index fit {c_index(r[fit], t[fit], died[fit]):.3f} test {c_index(r[test], t[test], died[test]):.3f}")
