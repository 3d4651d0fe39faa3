import json
from pathlib import Path

import torch

from recsys import BiasedMF, RatingTable

HERE = Path(__file__).resolve().parent


def rmse(model, batch, rating):
    with torch.no_grad():
        return (model(batch).clamp(0.5, 5.0) - rating).pow(2).mean().sqrt().item()


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    table = RatingTable(HERE / cfg["ratings"])
    train_ids, test_ids = table.split(cfg["holdout"], cfg["seed"])
    print(f"{len(train_ids)} ratings for training, {len(test_ids)} held out")

    sizes = {c: len(v) for c, v in table.vocab.items()}
    model = BiasedMF(sizes, cfg["dim"], table.rating[train_ids].mean())
    opt = torch.optim.AdamW(model.parameters(), **cfg["optimizer"])
    test = table.take(test_ids)

    for epoch in range(cfg["epochs"]):
        total = 0.0
        for ids in train_ids[torch.randperm(len(train_ids))].split(cfg["batch_size"]):
            batch, rating = table.take(ids)
            loss = torch.nn.functional.mse_loss(model(batch), rating)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(ids)
        if epoch % 3 == 0 or epoch == cfg["epochs"] - 1:
            print(f"[{epoch:3d}] train rmse {(total / len(train_ids)) ** 0.5:.4f}   test rmse {rmse(model, *test):.4f}")


main()
