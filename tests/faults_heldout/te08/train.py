import argparse

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

from net import BeatNet
from signals import KINDS, make


def recalls(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(x).argmax(1)
    return [(pred[y == k] == k).float().mean().item() for k in range(len(KINDS))]


def main(args):
    torch.manual_seed(args.seed)
    xtr, ytr = make(1600, seed=1)
    xte, yte = make(800, seed=2)
    order = np.argsort(yte, kind="stable")
    xte, yte = torch.from_numpy(xte[order]), torch.from_numpy(yte[order])

    weight = 1.0 / np.bincount(ytr)[ytr]
    sampler = WeightedRandomSampler(torch.from_numpy(weight), num_samples=len(ytr), replacement=True)
    train = DataLoader(TensorDataset(torch.from_numpy(xtr), torch.from_numpy(ytr)), 32, sampler=sampler)

    model = BeatNet()
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.98))
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=3 * len(train), T_mult=2, eta_min=2e-5)

    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for x, y in train:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            ema.update_parameters(model)
            total += loss.item()
        raw, avg = recalls(model, xte, yte), recalls(ema, xte, yte)
        print(f"epoch {epoch:2d} lr {opt.param_groups[0]['lr']:.5f} loss {total / len(train):.4f} "
              f"balanced acc {np.mean(raw):.3f} averaged weights {np.mean(avg):.3f}")
    print("recall " + "  ".join(f"{k} {v:.3f}" for k, v in zip(KINDS, recalls(ema, xte, yte))))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=9)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
