"""Adapt last season's rating model to the new catalogue."""
import math
from pathlib import Path

import torch

from recsys.model import RatingModel
from recsys.settings import read
from recsys.table import Ratings

ROOT = Path(__file__).resolve().parent
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def restore(path, dtype):
    state = torch.load(path, weights_only=True)
    users, dim = state["user.weight"].shape
    model = RatingModel(users, state["item.weight"].shape[0], dim)
    model.load_state_dict(state)
    return model.to(dtype)


@torch.no_grad()
def rmse(model, part):
    model.eval()
    u, i, s = part
    return math.sqrt(((model(u, i).float() - s) ** 2).mean().item())


def main():
    cfg = read(ROOT / "finetune.yaml")
    torch.manual_seed(cfg["seed"])
    data = Ratings(ROOT / cfg["ratings"], cfg["holdout"], cfg["seed"])
    model = restore(ROOT / cfg["checkpoint"], DTYPES[cfg["param_dtype"]])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    generator = torch.Generator().manual_seed(cfg["seed"])
    print(f"before: test rmse {rmse(model, data.test):.4f}")
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        total, count = 0.0, 0
        for u, i, s in data.batches(cfg["batch_size"], generator):
            loss = ((model(u, i).float() - s) ** 2).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total, count = total + loss.item() * len(s), count + len(s)
        print(f"epoch {epoch:2d}  train rmse {math.sqrt(total / count):.4f}  test rmse {rmse(model, data.test):.4f}")
    torch.save(model.float().state_dict(), ROOT / "season.pt")


if __name__ == "__main__":
    main()
