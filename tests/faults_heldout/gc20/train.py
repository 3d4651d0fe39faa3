from pathlib import Path

import numpy as np
import torch
from torch import nn


def concordance(time, event, risk):
    """Harrell's C."""
    earlier = (time[:, None] < time[None, :]) & event[:, None]
    diff = risk[:, None] - risk[None, :]
    return ((diff > 0)[earlier].sum() + 0.5 * (diff == 0)[earlier].sum()) / earlier.sum()


def cox_loss(risk, time, event):
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    return -(risk - torch.logcumsumexp(risk, 0))[event].mean()


class RiskNet(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n, 24), nn.Softplus(), nn.Dropout(0.1), nn.Linear(24, 1, bias=False))

    def forward(self, x):
        return self.f(x).squeeze(-1)


def main():
    torch.manual_seed(3)
    z = np.load(Path(__file__).parent / "cohort.npz")
    x, t, e = (torch.from_numpy(z[k]) for k in ("x", "time", "event"))
    g = torch.randperm(len(x))
    tr, va = g[:650], g[650:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    net = RiskNet(x.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 400)
    print(f"patients {len(tr)}/{len(va)}  events {e[tr].float().mean():.2f}/{e[va].float().mean():.2f}")
    for it in range(1, 401):
        net.train()
        loss = cox_loss(net(x[tr]), t[tr], e[tr])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 40 == 0:
            net.eval()
            with torch.no_grad():
                r = net(x)
            c = [concordance(t[s], e[s], r[s]).item() for s in (tr, va)]
            vl = cox_loss(r[va], t[va], e[va]).item()
            print(f"it {it:3d}  partial nll {loss.item():.4f}  val nll {vl:.4f}  c-index train {c[0]:.3f} val {c[1]:.3f}")


if __name__ == "__main__":
    main()
