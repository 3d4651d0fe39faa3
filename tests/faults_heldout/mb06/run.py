import argparse

import torch

from recsys import BPR, Plays, fit
from recsys.train import hit_rate

parser = argparse.ArgumentParser(description="Track recommendations from play logs")
parser.add_argument("--log", default="data/plays.csv")
parser.add_argument("--dim", type=int, default=8)
parser.add_argument("--epochs", type=int, default=30)
parser.add_argument("--batch-size", type=int, default=256)
parser.add_argument("--lr", type=float, default=5e-3)
parser.add_argument("--l2", type=float, default=0.01)
opts = parser.parse_args()

torch.manual_seed(0)
plays = Plays(opts.log)
print(f"{plays.n_users} listeners, {plays.n_items} tracks, {len(plays.train)} plays")
model = BPR(plays.n_users, plays.n_items, opts.dim)
fit(model, plays, opts.epochs, opts.batch_size, opts.lr, opts.l2)

masked = plays.seen.clone()
for u, i in plays.val.items():
    masked[u, i] = True
popularity = plays.seen.float().sum(0).expand(plays.n_users, -1)
print(f"test hit@10: model {hit_rate(model.all_scores(), plays.test, masked):.3f}, "
      f"popularity {hit_rate(popularity, plays.test, masked):.3f}, random {10 / plays.n_items:.3f}")
