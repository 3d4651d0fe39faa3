import sys

import torch
import yaml

from hybrid import HybridRecommender
from ratings import Ratings


def make_optimizers(model, cfg):
    tables = torch.optim.Adam(model.tables(), lr=cfg["tables"]["lr"])
    tower = torch.optim.AdamW(model.tower.parameters(), lr=cfg["tower"]["lr"], weight_decay=cfg["tower"]["decay"])
    return tables, tower


def penalty(model, user, item, lam):
    p = model.user_vec(user).pow(2).sum(1) + model.item_vec(item).pow(2).sum(1)
    return lam * p.mean()


@torch.no_grad()
def rmse(model, data, idx):
    model.eval()
    user, item, genre, stars = data.rows(idx)
    err = model(user, item, genre) - stars
    model.train()
    return err.pow(2).mean().sqrt().item()


def fit(model, data, train, test, cfg):
    opt_tables, opt_tower = make_optimizers(model, cfg)
    g = torch.Generator().manual_seed(cfg["seed"])
    for epoch in range(1, cfg["epochs"] + 1):
        order = train[torch.randperm(len(train), generator=g)]
        seen = 0.0
        for idx in order.split(cfg["batch"]):
            user, item, genre, stars = data.rows(idx)
            mse = (model(user, item, genre) - stars).pow(2).mean()
            loss = mse + penalty(model, user, item, cfg["lambda"])

            opt_tower.zero_grad()
            loss.backward()
            opt_tables.step()
            opt_tower.step()
            seen += mse.item() * len(idx)
        if epoch % 3 == 0:
            print(f"epoch {epoch:3d}  train rmse {(seen / len(train)) ** 0.5:.3f}  test rmse {rmse(model, data, test):.3f}")


if __name__ == "__main__":
    cfg = yaml.safe_load(open(sys.argv[1] if len(sys.argv) > 1 else "recommend.yaml"))
    torch.manual_seed(cfg["seed"])
    data = Ratings(cfg["file"])
    train, test = data.holdout(cfg["test_share"], cfg["seed"])
    mean = data.stars[train].mean().item()
    model = HybridRecommender(data.n_users, data.n_items, data.genre.shape[1], cfg["rank"], mean)
    print(f"{data.n_users} users, {data.n_items} items, {len(train)} ratings; constant rmse {data.stars[test].std():.3f}")
    fit(model, data, train, test, cfg)
