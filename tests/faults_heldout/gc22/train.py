import argparse

import torch
from torch import nn

from rank.losses import lambda_pairs
from rank.metrics import ndcg
from rank.queries import make_queries


def scorer(dim, width):
    return nn.Sequential(nn.Linear(dim, width), nn.Mish(), nn.Linear(width, width), nn.Mish(), nn.Linear(width, 1))


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--queries", type=int, default=800)
    ap.add_argument("--per-step", type=int, default=10)
    ap.add_argument("--rounds", type=int, default=24)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--width", type=int, default=64)
    args = ap.parse_args(argv)
    torch.manual_seed(220)

    x, g = make_queries(args.queries, seed=1)
    xv, gv = make_queries(200, seed=2)
    model = scorer(x.shape[-1], args.width)
    opt = torch.optim.RAdam(model.parameters(), lr=args.lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=args.rounds, power=1.0)
    with torch.no_grad():
        print(f"untrained ndcg@10 {ndcg(model(xv).squeeze(-1), gv):.4f}")
    for r in range(args.rounds):
        model.train()
        total, steps = 0.0, 0
        for idx in torch.randperm(len(x)).split(args.per_step):
            loss = lambda_pairs(model(x[idx]).squeeze(-1), g[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, steps = total + loss.item(), steps + 1
        sched.step()
        if r % 3 == 2:
            model.eval()
            with torch.no_grad():
                s = model(xv).squeeze(-1)
                print(f"round {r + 1:2d} loss {total / steps:.4f} val loss {lambda_pairs(s, gv):.4f} ndcg@10 {ndcg(s, gv):.4f}")


if __name__ == "__main__":
    main()
