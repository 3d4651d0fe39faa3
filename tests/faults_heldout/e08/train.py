"""Three related targets from the diabetes table, weighted by learned homoscedastic uncertainty.

Targets: disease progression (standardised), total cholesterol above median (binary), blood-pressure tercile (3 classes).
"""
import math

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_diabetes
from torch import nn


class Table:
    def __init__(self, seed=0):
        raw = load_diabetes(scaled=False)
        x, y = raw.data.astype(np.float64), raw.target.astype(np.float64)
        names = raw.feature_names
        tc, bp = x[:, names.index("s1")], x[:, names.index("bp")]
        keep = [i for i, n in enumerate(names) if n not in ("s1", "bp")]
        x = x[:, keep]
        order = np.random.default_rng(seed).permutation(len(y))
        tr, te = order[:342], order[342:]
        mu, sd = x[tr].mean(0), x[tr].std(0)
        self.ymu, self.ysd = y[tr].mean(), y[tr].std()
        cut = np.quantile(bp[tr], [1 / 3, 2 / 3])
        med = np.median(tc[tr])

        def pack(i):
            return (torch.tensor((x[i] - mu) / sd, dtype=torch.float32),
                    torch.tensor((y[i] - self.ymu) / self.ysd, dtype=torch.float32),
                    torch.tensor(tc[i] > med, dtype=torch.float32),
                    torch.tensor(np.digitize(bp[i], cut)))
        self.train, self.test = pack(tr), pack(te)


class SharedNet(nn.Module):
    def __init__(self, d, h=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Dropout(0.4), nn.Linear(h, h), nn.GELU(), nn.Dropout(0.4))
        self.progress, self.chol, self.bp = nn.Linear(h, 1), nn.Linear(h, 1), nn.Linear(h, 3)
        self.log_var = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        h = self.trunk(x)
        return self.progress(h).squeeze(1), self.chol(h).squeeze(1), self.bp(h)

    def objective(self, x, y, c, b):
        py, pc, pb = self(x)
        parts = torch.stack([0.5 * F.mse_loss(py, y), F.binary_cross_entropy_with_logits(pc, c), F.cross_entropy(pb, b)])
        return (torch.exp(-self.log_var) * parts + 0.5 * self.log_var).sum(), parts.detach()


def test_report(net, t):
    x, y, c, b = t.test
    net.eval()
    with torch.no_grad():
        py, pc, pb = net(x)
    r2 = 1 - ((py - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return f"R2 {r2:.3f} chol acc {((pc > 0).float() == c).float().mean():.3f} bp acc {(pb.argmax(1) == b).float().mean():.3f}"


def main():
    torch.manual_seed(6)
    t = Table()
    net = SharedNet(t.train[0].size(1))
    opt = torch.optim.AdamW(
        [{"params": [p for n, p in net.named_parameters() if n != "log_var"], "weight_decay": 1e-2},
         {"params": [net.log_var], "weight_decay": 0.0, "lr": 1e-2}], lr=2e-3)
    n, bs, epochs = len(t.train[0]), 32, 60
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * math.ceil(n / bs))
    for ep in range(1, epochs + 1):
        net.train()
        tot, parts_sum = 0.0, torch.zeros(3)
        for idx in torch.randperm(n).split(bs):
            loss, parts = net.objective(*(a[idx] for a in t.train))
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item() * len(idx)
            parts_sum += parts * len(idx)
        if ep % 10 == 0 or ep == 1:
            p = [round(v, 3) for v in (parts_sum / n).tolist()]
            s = [round(v, 2) for v in net.log_var.exp().tolist()]
            print(f"epoch {ep:2d} total {tot / n:+.3f} parts {p} variances {s} | {test_report(net, t)}")


if __name__ == "__main__":
    main()
