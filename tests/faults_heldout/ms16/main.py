import argparse

import torch

from interactions import PairStream, leave_two_out, play_matrix
from recommender import FactorModel, bpr, rank_metrics


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--users", type=int, default=500)
    ap.add_argument("--items", type=int, default=240)
    ap.add_argument("--per-user", type=int, default=32)
    ap.add_argument("--dim", type=int, default=12)
    ap.add_argument("--epochs", type=int, default=24)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--reg", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=13)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    history, val_item, test_item = leave_two_out(play_matrix(args.users, args.items, args.per_user, seed=101))
    stream = PairStream(history, args.items, args.batch, args.seed)
    known = torch.from_numpy(stream.known)
    val_item, test_item = torch.from_numpy(val_item), torch.from_numpy(test_item)

    popularity = known.float().sum(0).expand(args.users, -1)
    hit, ndcg = rank_metrics(popularity, known, val_item)
    print(f"most popular: hit@10 {hit:.3f} ndcg@10 {ndcg:.3f}")

    model = FactorModel(args.users, args.items, args.dim)
    opt = torch.optim.SparseAdam(list(model.parameters()), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        total = 0.0
        for u, pos, neg in stream:
            u, pos, neg = map(torch.from_numpy, (u, pos, neg))
            rank_loss = bpr(model(u, pos), model(u, neg))
            loss = rank_loss + args.reg * model.penalty(u, pos, neg)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += rank_loss.item()
        if epoch % 3 == 0:
            hit, ndcg = rank_metrics(model.all_scores(), known, val_item)
            print(f"epoch {epoch:2d} bpr {total / len(stream):.4f} val hit@10 {hit:.3f} ndcg@10 {ndcg:.3f}")

    hit, ndcg = rank_metrics(model.all_scores(), known.clone().scatter_(1, val_item[:, None], True), test_item)
    print(f"test: hit@10 {hit:.3f} ndcg@10 {ndcg:.3f}")


if __name__ == "__main__":
    main()
