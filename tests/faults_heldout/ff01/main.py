import argparse
import pathlib

import torch
import torch.nn.functional as F

from recsys import RatingModel, load_ratings, make_optimizer
from recsys.data import minibatches


def rmse(model, split):
    model.eval()
    with torch.no_grad():
        u, i, r = split
        return F.mse_loss(model(u, i), r).sqrt().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--lr", type=float, default=6e-3)
    ap.add_argument("--wd", type=float, default=0.02)
    ap.add_argument("--bs", type=int, default=128)
    args = ap.parse_args()

    torch.manual_seed(0)
    train, test, genres = load_ratings(pathlib.Path(__file__).parent)
    n_users = int(max(train[0].max(), test[0].max())) + 1
    mean = train[2].mean()
    model = RatingModel(n_users, genres, mean=mean)
    opt = make_optimizer(model, args.lr, args.wd)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)

    print(f"{len(train[0])} train / {len(test[0])} test ratings, "
          f"constant predictor rmse {(test[2] - mean).pow(2).mean().sqrt():.3f}")
    for epoch in range(args.epochs):
        model.train()
        total, n = 0.0, 0
        for u, i, r in minibatches(train, args.bs):
            loss = F.mse_loss(model(u, i), r)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(r)
            n += len(r)
        sched.step()
        print(f"epoch {epoch + 1:2d}  train mse {total / n:.4f}  test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    main()
