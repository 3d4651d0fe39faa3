"""Re-rank the offers of a hotel search so that the one that gets booked stands on top."""
import argparse
from pathlib import Path

import torch
import torch.nn.functional as F

from ranker import OfferScorer, Searches, load_columns, ndcg, top1


def parse():
    here = Path(__file__).resolve().parent
    p = argparse.ArgumentParser()
    p.add_argument("--searches", type=Path, default=here / "searches.npz")
    p.add_argument("--columns", type=Path, default=here / "columns.json")
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-3)
    return p.parse_args()


def validate(model, data):
    model.eval()
    with torch.no_grad():
        scores = model(data.offers)
        loss = F.cross_entropy(scores, data.booked).item()
    return loss, ndcg(scores, data.booked), top1(scores, data.booked)


def main():
    args = parse()
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(8)
    columns = load_columns(args.columns)
    train = Searches(args.searches, columns, split=0)
    valid = Searches(args.searches, columns, split=1)
    model = OfferScorer(len(columns))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    print(f"{len(train)} searches for training, {len(valid)} for validation")
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for offers, booked in train.batches(args.batch, gen):
            opt.zero_grad()
            loss = F.cross_entropy(model(offers), booked)
            loss.backward()
            opt.step()
            total += loss.item() * len(booked)
        sched.step()
        if epoch % 5 == 4:
            vloss, gain, first = validate(model, valid)
            print(f"[{epoch + 1:3d}] train {total / len(train):.3f}  valid {vloss:.3f}  ndcg {gain:.3f}  top1 {first:.3f}")


if __name__ == "__main__":
    main()
