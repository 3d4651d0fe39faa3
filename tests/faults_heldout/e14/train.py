"""Sparse mixture of experts on clustered tabular data; bf16 autocast, activation checkpointing, gradient accumulation."""
import time
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from sklearn.datasets import make_classification
from sklearn.preprocessing import StandardScaler

from moe import MoEClassifier

cfg = SimpleNamespace(batch=192, accumulate=2, epochs=6, peak=4e-3, aux=0.01, wd=0.02, seed=19)


def dataset():
    x, y = make_classification(n_samples=10000, n_features=16, n_informative=10, n_redundant=2, n_classes=5,
                               n_clusters_per_class=4, class_sep=1.7, flip_y=0.04, random_state=5)
    sc = StandardScaler().fit(x[:8000])
    x = torch.tensor(sc.transform(x), dtype=torch.float32)
    y = torch.tensor(y)
    return (x[:8000], y[:8000]), (x[8000:], y[8000:])


def run_eval(model, x, y):
    model.eval()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        logits, _, shares = model(x)
    logits = logits.float()
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item(), shares


def main():
    torch.manual_seed(cfg.seed)
    (x, y), (xv, yv) = dataset()
    model = MoEClassifier(x.size(1), 5)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.peak, weight_decay=cfg.wd)
    micro = len(x) // cfg.batch
    updates_per_epoch = micro // cfg.accumulate
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg.peak, total_steps=cfg.epochs * updates_per_epoch, pct_start=0.2)
    t0 = time.time()
    for ep in range(cfg.epochs):
        model.train()
        perm = torch.randperm(len(x))
        ce_sum, bal_sum, seen = 0.0, 0.0, 0
        for u in range(updates_per_epoch):
            opt.zero_grad()
            for k in range(cfg.accumulate):
                j = (u * cfg.accumulate + k) * cfg.batch
                idx = perm[j:j + cfg.batch]
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    logits, balance, _ = model(x[idx])
                ce = F.cross_entropy(logits.float(), y[idx])
                ((ce + cfg.aux * balance) / cfg.accumulate).backward()
                ce_sum, bal_sum, seen = ce_sum + ce.item(), bal_sum + balance.item(), seen + 1
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
        if ep % 2 == 1:
            vl, va, shares = run_eval(model, xv, yv)
            print(f"ep {ep + 1:2d} {time.time() - t0:5.1f}s ce {ce_sum / seen:.4f} balance {bal_sum / seen:.3f} "
                  f"val ce {vl:.4f} acc {va:.4f} smallest expert share {shares.min():.2f}")


if __name__ == "__main__":
    main()
