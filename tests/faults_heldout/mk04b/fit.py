import argparse
import tomllib

import torch

from recsys import Engine, FactorModel, Ratings

ap = argparse.ArgumentParser()
ap.add_argument("config", nargs="?", default="settings.toml")
ap.add_argument("--seed", type=int, default=None)
opts = ap.parse_args()

with open(opts.config, "rb") as f:
    cfg = tomllib.load(f)
seed = cfg["run"]["seed"] if opts.seed is None else opts.seed
torch.manual_seed(seed)

ratings = Ratings(**cfg["data"], seed=seed)
model = FactorModel(ratings.n_users, ratings.n_items, cfg["model"]["rank"], ratings.mean)
engine = Engine(model, cfg["optim"], cfg["scheduler"])

for epoch in range(1, cfg["run"]["epochs"] + 1):
    train = engine.train_epoch(ratings.train)
    test = engine.rmse(ratings.test)
    if epoch % cfg["run"]["log_every"] == 0 or epoch == 1:
        print(f"epoch {epoch:3d}  train rmse {train:.4f}  held-out rmse {test:.4f}")
