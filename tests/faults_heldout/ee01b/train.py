import re
import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F

from data import load
from model import RatingModel

HERE = Path(__file__).parent


def param_groups(model, specs):
    """Turn the [[optim.group]] tables into optimizer groups (first match wins)."""
    taken, groups = set(), []
    for spec in specs:
        rx = re.compile(spec["match"])
        hit = [(n, p) for n, p in model.named_parameters() if n not in taken and rx.search(n)]
        taken.update(n for n, _ in hit)
        groups.append({"params": [p for _, p in hit],
                       "lr": spec["lr"], "weight_decay": spec.get("weight_decay", 0.0)})
    return [g for g in groups if g["params"]]


@torch.no_grad()
def rmse(model, part):
    model.eval()
    *x, y = part
    out = (model(*x).clamp(0.5, 5.0) - y).pow(2).mean().sqrt().item()
    model.train()
    return out


def main():
    cfg = tomllib.loads((HERE / "recsys.toml").read_text())
    torch.manual_seed(cfg["seed"])
    train, test, sizes = load(HERE, cfg["data"]["holdout"], cfg["seed"])
    model = RatingModel(**sizes, **cfg["model"], mean=train[-1].mean())
    opt = torch.optim.AdamW(param_groups(model, cfg["optim"]["group"]))
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, cfg["optim"]["decay"])
    print(f"{len(train[-1])} train / {len(test[-1])} test ratings, "
          f"predict-the-mean rmse {(test[-1] - train[-1].mean()).pow(2).mean().sqrt():.4f}")

    bs = cfg["optim"]["batch_size"]
    for epoch in range(cfg["optim"]["epochs"]):
        order = torch.randperm(len(train[-1]))
        total = 0.0
        for k in range(0, len(order), bs):
            *x, y = (t[order[k:k + bs]] for t in train)
            loss = F.mse_loss(model(*x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        sched.step()
        print(f"epoch {epoch + 1:2d}  train mse {total / len(order):.4f}  test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    main()
