import logging

import numpy as np
import torch
from sklearn.metrics import average_precision_score, f1_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")


def incidents(n, seed):
    """Alarm logs: counts of 40 event codes; 5 rare fault types, several may be active."""
    w = np.random.default_rng(99)
    sig = w.random((5, 40)) < 0.15
    r = np.random.default_rng(seed)
    Y = (r.random((n, 5)) < np.array([.03, .05, .08, .06, .04])).astype(np.float32)
    lam = 1.5 + 4.0 * (Y @ sig)
    return torch.tensor(np.log1p(r.poisson(lam)), dtype=torch.float32), torch.tensor(Y)


def main():
    torch.manual_seed(0)
    Xt, Yt = incidents(4000, 0)
    Xv, Yv = incidents(1500, 1)
    mu, sd = Xt.mean(0), Xt.std(0)
    Xt, Xv = (Xt - mu) / sd, (Xv - mu) / sd
    pos = Yt.mean(0)
    crit = nn.BCEWithLogitsLoss(pos_weight=(1 - pos) / pos)
    logging.info("pos_weight %s", [round(v, 1) for v in ((1 - pos) / pos).tolist()])
    net = nn.Sequential(nn.Linear(40, 24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 5))
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=5e-2)
    dl = DataLoader(TensorDataset(Xt, Yt), batch_size=128, shuffle=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=12 * len(dl))
    for epoch in range(12):
        net.train()
        s = 0.0
        for x, y in dl:
            loss = crit(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            s += loss.item() * len(x)
        net.eval()
        with torch.no_grad():
            z = net(Xv)
            vl = crit(z, Yv).item()
        ap = average_precision_score(Yv.numpy(), z.sigmoid().numpy(), average="macro")
        f1 = f1_score(Yv.numpy(), (z > 0).numpy(), average="macro")
        logging.info("epoch %d train %.4f val %.4f mAP %.3f F1 %.3f", epoch, s / len(Xt), vl, ap, f1)


if __name__ == "__main__":
    main()
