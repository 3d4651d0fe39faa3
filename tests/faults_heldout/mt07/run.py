import argparse

import torch

from factors import Factors
from ratings import synthesize
from solve import fit

p = argparse.ArgumentParser()
p.add_argument("--users", type=int, default=600)
p.add_argument("--films", type=int, default=250)
p.add_argument("--rank", type=int, default=6)
p.add_argument("--rounds", type=int, default=24)
p.add_argument("--lr", type=float, default=0.02)
p.add_argument("--ridge", type=float, default=0.03)
p.add_argument("--seed", type=int, default=4)
opts = p.parse_args()

torch.manual_seed(opts.seed)
train, held = synthesize(opts.users, opts.films, opts.seed)
model = Factors(opts.users, opts.films, opts.rank, float(train[2].mean()))
fit(model, train, held, opts)
