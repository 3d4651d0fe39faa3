import argparse
import json
import os

import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, SequentialSampler

from recsys import Ratings, TwoTower

os.chdir(os.path.dirname(os.path.abspath(__file__)))


def loader(ratings, size, random):
    order = RandomSampler(ratings) if random else SequentialSampler(ratings)
    return DataLoader(ratings, sampler=BatchSampler(order, size, drop_last=False), batch_size=None)


@torch.no_grad()
def rmse(model, batches):
    model.eval()
    err, n = 0.0, 0
    for user, recipe, stars in batches:
        err += (model(user, recipe) - stars).square().sum().item()
        n += len(stars)
    return (err / n) ** 0.5


def fit(model, train, valid, spec):
    optimizer = torch.optim.AdamW(model.parameters(), lr=spec["lr"], weight_decay=spec["weight_decay"])
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, spec["lr"], epochs=spec["epochs"], steps_per_epoch=len(train), pct_start=0.2
    )
    for epoch in range(spec["epochs"]):
        model.train()
        total, n = 0.0, 0
        for user, recipe, stars in train:
            loss = torch.nn.functional.mse_loss(model(user, recipe), stars)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(stars)
            n += len(stars)
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}: train rmse {(total / n) ** 0.5:.4f}, valid rmse {rmse(model, valid):.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("spec", nargs="?", default="specs/recipes.json")
    with open(parser.parse_args().spec) as fh:
        spec = json.load(fh)
    torch.manual_seed(spec["seed"])
    parts = {p: Ratings(spec["ratings"], p) for p in ("train", "valid")}
    train = loader(parts["train"], spec["batch_size"], random=True)
    valid = loader(parts["valid"], 2048, random=False)
    model = TwoTower(
        parts["train"].n_users, parts["train"].n_recipes, spec["tower"]["widths"], spec["tower"]["dropout"],
        prior=parts["train"].stars.mean(),
    )
    print(f"{len(parts['train'])} ratings, {sum(p.numel() for p in model.parameters())} parameters")
    fit(model, train, valid, spec)


if __name__ == "__main__":
    main()
