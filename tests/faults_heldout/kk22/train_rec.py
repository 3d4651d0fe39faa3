import tomllib
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from interactions import splits
from optimizers import make_optimizer
from rec_model import RecipeRanker

CFG = tomllib.loads((Path(__file__).parent / "rec.toml").read_text())


def rmse(model, loader):
    model.eval()
    se = n = 0
    with torch.no_grad():
        for u, i, r in loader:
            se += (model(u, i).clamp(0.5, 5.0) - r).square().sum().item()
            n += len(r)
    return (se / n) ** 0.5


def main():
    t = CFG["train"]
    torch.manual_seed(t["seed"])
    train, test, n_users, n_items = splits(t["seed"])
    train_dl = DataLoader(train, t["batch_size"], shuffle=True)
    test_dl = DataLoader(test, 500)
    model = RecipeRanker(n_users, n_items, **CFG["model"])
    opt = make_optimizer(model, t["lr"], t["weight_decay"])
    ratings = test.tensors[2]
    print(f"{len(train)} ratings, test std {ratings.std().item():.3f}")
    for epoch in range(1, t["epochs"] + 1):
        model.train()
        total = 0.0
        for u, i, r in train_dl:
            loss = (model(u, i) - r).square().mean()
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 3 == 0:
            print(f"epoch {epoch:2d}  train mse {total / len(train_dl):.3f}  test rmse {rmse(model, test_dl):.3f}")


if __name__ == "__main__":
    main()
