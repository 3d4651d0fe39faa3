import argparse

import numpy as np
import torch

from ranker import TwoTower, auc, build_interactions, hit_rate, pairwise_logistic, sample_triples


def parse():
    p = argparse.ArgumentParser(description="train a two-tower recommender on implicit feedback")
    p.add_argument("--users", type=int, default=500)
    p.add_argument("--items", type=int, default=300)
    p.add_argument("--dim", type=int, default=24)
    p.add_argument("--rounds", type=int, default=15)
    p.add_argument("--batches", type=int, default=60)
    p.add_argument("--batch-size", type=int, default=512)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--l2", type=float, default=0.01)
    p.add_argument("--seed", type=int, default=31)
    return p.parse_args()


def main():
    a = parse()
    torch.manual_seed(a.seed)
    r = np.random.default_rng(a.seed)
    train, held = build_interactions(a.users, a.items, 25, a.seed)
    model = TwoTower(a.users, a.items, a.dim)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    print(f"start  auc {auc(model, train, held):.3f}")
    for rnd in range(a.rounds):
        total = 0.0
        for _ in range(a.batches):
            u, i, j = sample_triples(train, a.items, a.batch_size, r)
            loss = pairwise_logistic(model(u, i), model(u, j),
                                     (model.user(u), model.item(i), model.item(j)), a.l2)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"round {rnd:2d} loss {total / a.batches:.4f} auc {auc(model, train, held):.3f} "
              f"hit@10 {hit_rate(model, train, held):.3f}")


if __name__ == "__main__":
    main()
