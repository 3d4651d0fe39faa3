import csv
import sys

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, roc_auc_score
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 24
SEED = 77


class Listings:
    """Two questions per listing: which price, and will it still be there after 90 days?"""

    def __init__(self, path):
        rows = list(csv.DictReader(open(path)))
        num = np.array([[np.log(float(r["area_m2"])), float(r["rooms"]), float(r["built"]),
                         float(r["km_to_center"]), float(r["floor"])] for r in rows])
        grade = np.eye(5)[["ABCDE".index(r["energy"]) for r in rows]]
        self.num, self.grade = num, grade
        self.price = np.log([float(r["price"]) for r in rows])
        self.stale = np.array([float(r["stale_90d"]) for r in rows])

    def tensors(self, fit):
        m, s = self.num[fit].mean(0), self.num[fit].std(0)
        self.pm, self.ps = self.price[fit].mean(), self.price[fit].std()
        x = np.hstack([(self.num - m) / s, self.grade])
        return [torch.tensor(v, dtype=torch.float32) for v in (x, (self.price - self.pm) / self.ps, self.stale)]


class TwoHeads(nn.Module):
    def __init__(self, d, w=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, w), nn.GELU(), nn.Linear(w, w), nn.GELU())
        self.price = nn.Linear(w, 1)
        self.stale = nn.Sequential(nn.Linear(w, 16), nn.GELU(), nn.Linear(16, 1))

    def forward(self, x):
        h = self.trunk(x)
        return self.price(h).squeeze(-1), self.stale(h).squeeze(-1)


def run(path):
    torch.manual_seed(SEED)
    data = Listings(path)
    n = len(data.price)
    perm = np.random.RandomState(SEED).permutation(n)
    fit, held = perm[: int(.75 * n)], perm[int(.75 * n):]
    x, price, stale = data.tensors(fit)
    loader = DataLoader(TensorDataset(x[fit], price[fit], stale[fit]), batch_size=64, shuffle=True)

    share = stale[fit].mean()
    huber = nn.SmoothL1Loss(beta=0.5)
    bce = nn.BCEWithLogitsLoss(pos_weight=(1 - share) / share)
    net = TwoHeads(x.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)

    for epoch in range(1, EPOCHS + 1):
        net.train()
        sums = np.zeros(2)
        for bx, bp, bs in loader:
            p, s = net(bx)
            lp, lst = huber(p, bp), bce(s, bs)
            opt.zero_grad()
            (2.0 * lp + lst).backward()
            opt.step()
            sums += np.array([lp.item(), lst.item()]) * len(bx)
        sched.step()
        net.eval()
        with torch.no_grad():
            p, s = net(x[held])
            vp, vs = huber(p, price[held]).item(), bce(s, stale[held]).item()
        off = np.abs(np.exp((p.numpy() - price[held].numpy()) * data.ps) - 1)
        y = stale[held].numpy()
        print(f"{epoch:2d} | price {sums[0] / len(fit):.4f} / {vp:.4f}, median off {100 * np.median(off):.1f} % "
              f"| stale {sums[1] / len(fit):.4f} / {vs:.4f}, auc {roc_auc_score(y, s):.3f}, ap {average_precision_score(y, s):.3f}")


if __name__ == "__main__":
    run(sys.argv[1] if len(sys.argv) > 1 else "listings.csv")
