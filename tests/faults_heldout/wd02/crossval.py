import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold


def make_net(n_in, hidden):
    return nn.Sequential(
        nn.Linear(n_in, hidden),
        nn.GELU(),
        nn.Dropout(0.25),
        nn.Linear(hidden, 2),
    )


def run_fold(x_tr, y_tr, x_va, y_va, args, gen):
    mu, sd = x_tr.mean(0), x_tr.std(0)
    x_tr, x_va = (x_tr - mu) / sd, (x_va - mu) / sd

    net = make_net(x_tr.shape[1], args.hidden)
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, nesterov=True, weight_decay=5e-3)
    steps = args.epochs * -(-len(x_tr) // args.batch_size)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=steps)

    for epoch in range(args.epochs):
        net.train()
        run = 0.0
        for idx in torch.randperm(len(x_tr), generator=gen).split(args.batch_size):
            loss = F.cross_entropy(net(x_tr[idx]), y_tr[idx])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item() * len(idx)
        if (epoch + 1) % 10 == 0:
            net.eval()
            with torch.no_grad():
                lv = F.cross_entropy(net(x_va), y_va).item()
            print(f"    epoch {epoch + 1:3d}  train {run / len(x_tr):.4f}  val {lv:.4f}")

    net.eval()
    with torch.no_grad():
        return net(x_va).softmax(1)[:, 1], net(x_tr).argmax(1).eq(y_tr).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--hidden", type=int, default=16)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    data = load_breast_cancer()
    x = torch.tensor(data.data, dtype=torch.float32)
    y = torch.tensor(data.target)

    oof = torch.zeros(len(y))
    accs = []
    folds = StratifiedKFold(args.folds, shuffle=True, random_state=args.seed)
    for k, (tr, va) in enumerate(folds.split(x, y), 1):
        print(f"fold {k}/{args.folds}")
        prob, tr_acc = run_fold(x[tr], y[tr], x[va], y[va], args, gen)
        oof[va] = prob
        accs.append(((prob > 0.5).long() == y[va]).float().mean().item())
        print(f"    train acc {tr_acc:.4f}  val acc {accs[-1]:.4f}")
    print(f"cv accuracy {np.mean(accs):.4f} +- {np.std(accs):.4f}   out-of-fold AUC {roc_auc_score(y, oof):.4f}")


if __name__ == "__main__":
    main()
