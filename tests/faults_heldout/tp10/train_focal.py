import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score
from torch import nn

from payments import payments


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=0.75):
        super().__init__()
        self.gamma, self.alpha = gamma, alpha

    def forward(self, logits, target):
        ce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
        p = torch.sigmoid(logits)
        pt = p * target + (1 - p) * (1 - target)
        weight = self.alpha * target + (1 - self.alpha) * (1 - target)
        return (weight * (1 - pt) ** self.gamma * ce).sum() / weight.sum()


class Scorer(nn.Module):
    def __init__(self, n_in, prior):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.out = nn.Linear(32, 1)
        nn.init.normal_(self.out.weight, std=0.01)
        nn.init.constant_(self.out.bias, float(np.log(prior / (1 - prior))))

    def forward(self, x):
        return self.out(self.layers(x))[:, 0]


def main(seed=6, epochs=12, batch=256):
    torch.manual_seed(seed)
    x, y = payments(30000, seed)
    xv, yv = payments(10000, seed + 31)
    xt, yt = payments(10000, seed + 62)
    m, s = x.mean(0), x.std(0)
    x, xv, xt = (torch.from_numpy((a - m) / s) for a in (x, xv, xt))
    yy = torch.from_numpy(y)
    net = Scorer(x.shape[1], y.mean())
    crit = FocalLoss()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    steps = epochs * (len(x) // batch)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

    def logits(a):
        with torch.no_grad():
            return net(a)

    def show(tag, focal):
        lv = logits(xv)
        tv = torch.from_numpy(yv)
        print(f"{tag} focal {focal:.4f} val focal {crit(lv, tv).item():.4f} "
              f"ce {F.binary_cross_entropy_with_logits(lv, tv).item():.4f} "
              f"ap {average_precision_score(yv, lv.numpy()):.3f} auc {roc_auc_score(yv, lv.numpy()):.3f}")

    show("start   ", crit(logits(x), yy).item())
    for ep in range(1, epochs + 1):
        run = 0.0
        perm = torch.randperm(len(x))
        for k in range(len(x) // batch):
            idx = perm[k * batch:(k + 1) * batch]
            loss = crit(net(x[idx]), yy[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item()
        show(f"epoch {ep:2d}", run / (k + 1))

    sv, st = logits(xv).numpy(), logits(xt).numpy()
    prec, rec, thr = precision_recall_curve(yv, sv)
    f1 = 2 * prec * rec / np.maximum(prec + rec, 1e-9)
    cut = thr[f1[:-1].argmax()]
    flag = st >= cut
    print(f"test: ap {average_precision_score(yt, st):.3f} (share of disputes {yt.mean():.3f}), at the cut chosen on "
          f"validation: precision {yt[flag].mean():.3f} recall {flag[yt == 1].mean():.3f}")


if __name__ == "__main__":
    main()
