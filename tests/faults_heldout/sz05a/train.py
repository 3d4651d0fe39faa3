import json
import math

import pandas as pd
import torch

from recommender import FactorModel


def split(table, share, seed):
    table = table.sample(frac=1.0, random_state=seed)
    cut = int(len(table) * share)
    return table.iloc[cut:], table.iloc[:cut]


def tensors(table):
    return (torch.tensor(table["user"].to_numpy()), torch.tensor(table["film"].to_numpy()),
            torch.tensor(table["stars"].to_numpy(), dtype=torch.float32))


@torch.no_grad()
def rmse(model, user, film, stars):
    model.eval()
    return (model(user, film).clamp(0.5, 5.0) - stars).square().mean().sqrt().item()


def main():
    cfg = json.load(open("run.json"))
    torch.manual_seed(cfg["seed"])
    table = pd.read_csv("ratings.csv")
    train, held_out = split(table, cfg["held_out"], cfg["split_by"])
    train, held_out = tensors(train), tensors(held_out)
    mean = train[2].mean().item()
    spread = (held_out[2] - mean).square().mean().sqrt().item()
    print(f"{len(train[2])} ratings for training, {len(held_out[2])} held out, "
          f"RMSE of the average rating {spread:.3f}")

    model = FactorModel(int(table["user"].max()) + 1, int(table["film"].max()) + 1, cfg["factors"], mean)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    size = cfg["batch_size"]
    batches = math.ceil(len(train[2]) / size)
    decay = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=cfg["epochs"] * batches)

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        order = torch.randperm(len(train[2]))
        total = 0.0
        for rows in order.split(size):
            user, film, stars = (t[rows] for t in train)
            error = (model(user, film) - stars).square().mean()
            loss = error + cfg["penalty"] * model.penalty(user, film)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            decay.step()
            total += error.item() * len(rows)
        print(f"epoch {epoch:2d}  train RMSE {math.sqrt(total / len(train[2])):.3f}  "
              f"held-out RMSE {rmse(model, *held_out):.3f}")


if __name__ == "__main__":
    main()
