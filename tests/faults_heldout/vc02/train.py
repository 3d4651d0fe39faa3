import argparse
from pathlib import Path

import torch
from torch.nn import functional as F

from recsys.data import load_ratings
from recsys.model import RatingModel
from recsys.optim import build_optimizer

HERE = Path(__file__).parent


@torch.no_grad()
def rmse(model, ratings):
    model.eval()
    total = 0.0
    for users, items, scores in ratings.batches(2048):
        total += F.mse_loss(model(users, items), scores, reduction="sum").item()
    return (total / len(ratings)) ** 0.5


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ratings", default=str(HERE / "ratings.csv"))
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--weight-decay", type=float, default=0.02)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    train, test, n_users, n_items = load_ratings(Path(args.ratings), test_share=0.15, seed=args.seed)
    model = RatingModel(n_users, n_items, mean=train.scores.mean().item())
    optimizer = build_optimizer(model, args.lr, args.weight_decay)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    generator = torch.Generator().manual_seed(args.seed)

    print(f"{n_users} users, {n_items} items, {len(train)} train / {len(test)} test ratings")
    print(f"rating std on test: {test.scores.std():.3f}")
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for users, items, scores in train.batches(args.batch_size, generator):
            loss = F.mse_loss(model(users, items), scores)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(scores)
        schedule.step()
        print(f"[{epoch + 1:02d}] train rmse {(running / len(train)) ** 0.5:.4f} | test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    main()
