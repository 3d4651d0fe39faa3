import argparse
import copy

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, precision_recall_curve
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from model import make_scorer


def load(path):
    z = np.load(path)
    x = z["x"].astype(np.float32)
    amount = np.log1p(z["amount"].astype(np.float32))[:, None]
    return np.concatenate([amount, x], 1), z["fraud"].astype(np.float32)


def split(x, y, seed):
    xt, xr, yt, yr = train_test_split(x, y, test_size=0.4, stratify=y, random_state=seed)
    xv, xs, yv, ys = train_test_split(xr, yr, test_size=0.5, stratify=yr, random_state=seed)
    mu, sd = xt.mean(0), xt.std(0)
    return [(torch.from_numpy((a - mu) / sd), torch.from_numpy(b)) for a, b in ((xt, yt), (xv, yv), (xs, ys))]


@torch.no_grad()
def scores(net, x):
    net.eval()
    return net(x).squeeze(1).sigmoid().numpy()


def best_cut(y, s):
    p, r, cut = precision_recall_curve(y, s)
    f1 = 2 * p * r / np.maximum(p + r, 1e-9)
    return cut[np.argmax(f1[:-1])]


def main(a):
    torch.manual_seed(a.seed)
    (xt, yt), (xv, yv), (xs, ys) = split(*load(a.data), a.seed)
    ratio = (yt == 0).sum() / (yt == 1).sum()
    print(f"{len(yt)} payments for training, {int(yt.sum())} of them fraud")

    net = make_scorer(xt.shape[1])
    loss_fn = nn.BCEWithLogitsLoss(pos_weight=ratio)
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=a.decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    loader = DataLoader(TensorDataset(xt, yt), batch_size=a.batch, shuffle=True)
    best, kept = -1.0, None
    for epoch in range(1, a.epochs + 1):
        net.train()
        total = 0.0
        for x, y in loader:
            opt.zero_grad()
            loss = loss_fn(net(x).squeeze(1), y)
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        sched.step()
        ap = average_precision_score(yv, scores(net, xv))
        if ap > best:
            best, kept = ap, copy.deepcopy(net.state_dict())
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d}  weighted loss {total / len(yt):.4f}  valid average precision {ap:.3f}")

    net.load_state_dict(kept)
    cut = best_cut(yv.numpy(), scores(net, xv))
    s = scores(net, xs)
    hit = (s >= cut) & (ys.numpy() == 1)
    print(f"test average precision {average_precision_score(ys, s):.3f}  "
          f"recall {hit.sum() / ys.sum().item():.3f}  precision {hit.sum() / max((s >= cut).sum(), 1):.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="payments.npz")
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--decay", type=float, default=1e-2)
    p.add_argument("--seed", type=int, default=20)
    main(p.parse_args())
