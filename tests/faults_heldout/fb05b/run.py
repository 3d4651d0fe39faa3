#!/usr/bin/env python
"""Book recommender: fit biased MF, report validation RMSE / MAE and the global-mean reference."""
import sys
from pathlib import Path

import torch

from dataio import load_ratings, load_split, shuffled_batches
from mf import BiasedMF

HOME = Path(__file__).parent
RANK, REG, LR, BATCH, EPOCHS = 6, 0.03, 0.012, 256, 12


def rmse_mae(model, part):
    with torch.no_grad():
        err = model(part.user, part.item).clamp(1, 5) - part.score
    return err.pow(2).mean().sqrt().item(), err.abs().mean().item()


def main(split_file="splits.json"):
    torch.manual_seed(99)
    gen = torch.Generator().manual_seed(99)
    ratings = load_ratings(HOME / "ratings.csv")
    train_idx, val_idx = load_split(HOME / split_file)
    train, val = ratings.take(train_idx), ratings.take(val_idx)
    model = BiasedMF(int(ratings.user.max()) + 1, int(ratings.item.max()) + 1, RANK, train.score.mean())
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
    ref = (val.score - train.score.mean()).pow(2).mean().sqrt().item()
    print(f"{len(train)} train / {len(val)} validation ratings; predicting the mean gives rmse {ref:.3f}")

    for epoch in range(1, EPOCHS + 1):
        model.train()
        sq = 0.0
        for b in shuffled_batches(train, BATCH, gen):
            mse = (model(b.user, b.item) - b.score).pow(2).mean()
            loss = mse + REG * model.penalty(b.user, b.item)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sq += mse.item() * len(b)
        sched.step()
        model.eval()
        r, m = rmse_mae(model, val)
        print(f"epoch {epoch:02d} train_rmse {(sq / len(train)) ** 0.5:.4f} val_rmse {r:.4f} val_mae {m:.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
