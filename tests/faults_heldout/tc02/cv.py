import argparse

import numpy as np
import torch
from sklearn.datasets import load_wine
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from torch import nn


def parse():
    p = argparse.ArgumentParser(description="cultivar classifier for the micro-controller, k-fold estimate")
    p.add_argument("--hidden", type=int, default=3, help="the target has room for 60 weights")
    p.add_argument("--epochs", type=int, default=80)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--weight-decay", type=float, default=1e-3)
    p.add_argument("--folds", type=int, default=5)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


def build(n_in, hidden, n_out):
    return nn.Sequential(nn.Linear(n_in, hidden), nn.Tanh(), nn.Linear(hidden, n_out))


def fit(model, x, y, args, gen):
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=args.epochs)
    loss_fn = nn.CrossEntropyLoss()
    model.train()
    for _ in range(args.epochs):
        running = 0.0
        for idx in torch.randperm(len(x), generator=gen).split(args.batch_size):
            opt.zero_grad()
            loss = loss_fn(model(x[idx]), y[idx])
            loss.backward()
            opt.step()
            running += loss.item() * len(idx)
        sched.step()
    return running / len(x)


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    logits = model(x)
    pred = logits.argmax(1)
    return nn.functional.cross_entropy(logits, y).item(), pred


def main():
    args = parse()
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    data = load_wine()
    folds = StratifiedKFold(args.folds, shuffle=True, random_state=args.seed)
    out_of_fold = np.zeros_like(data.target)

    for k, (tr, va) in enumerate(folds.split(data.data, data.target)):
        scaler = StandardScaler().fit(data.data[tr])
        to_t = lambda rows: torch.tensor(scaler.transform(data.data[rows]), dtype=torch.float32)
        x_tr, x_va = to_t(tr), to_t(va)
        y_tr, y_va = torch.tensor(data.target[tr]), torch.tensor(data.target[va])

        model = build(x_tr.shape[1], args.hidden, 3)
        train_loss = fit(model, x_tr, y_tr, args, gen)
        val_loss, pred = evaluate(model, x_va, y_va)
        out_of_fold[va] = pred.numpy()
        acc = (pred == y_va).float().mean().item()
        print(f"fold {k}: train loss {train_loss:.3f}  val loss {val_loss:.3f}  val acc {acc:.3f}")

    print(f"out-of-fold accuracy {accuracy_score(data.target, out_of_fold):.3f}"
          f"  macro-F1 {f1_score(data.target, out_of_fold, average='macro'):.3f}")


if __name__ == "__main__":
    main()
