import math
import random
from pathlib import Path

import torch
import yaml

from search.data import fold_indices, load
from search.net import fit, rmse

HERE = Path(__file__).resolve().parent


def draw(space, rng):
    lo, hi = (math.log(v) for v in space["lr"])
    return {"hidden": rng.choice(space["hidden"]), "layers": rng.choice(space["layers"]),
            "dropout": rng.choice(space["dropout"]), "lr": round(math.exp(rng.uniform(lo, hi)), 5)}


def main():
    cfg = yaml.safe_load((HERE / "space.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    gen = torch.Generator().manual_seed(cfg["seed"])
    rng = random.Random(cfg["seed"])

    x, y, names = load(HERE / cfg["data"], cfg["target"])
    order = torch.randperm(len(y), generator=gen)
    n_test = int(cfg["test_fraction"] * len(y))
    test, dev = order[:n_test], order[n_test:]
    x_dev, y_dev = x[dev], y[dev]
    print(f"{len(dev)} development mixes, {n_test} test mixes, inputs: {', '.join(names)}")

    best = None
    for trial in range(cfg["search"]["trials"]):
        hp = draw(cfg["search"], rng)
        scores = []
        for tr, va in fold_indices(len(dev), cfg["folds"], gen):
            model = fit(x_dev[tr], y_dev[tr], hp, cfg["search"]["epochs"], cfg["batch_size"])
            scores.append(rmse(model, x_dev[va], y_dev[va]))
        mean = sum(scores) / len(scores)
        print(f"trial {trial + 1}  {hp}  cv rmse {mean:.3f} MPa  folds {[round(s, 2) for s in scores]}")
        if best is None or mean < best[0]:
            best = (mean, hp)

    print("refit on all development data with", best[1])
    model = fit(x_dev, y_dev, best[1], cfg["final_epochs"], cfg["batch_size"], log=print)
    err = rmse(model, x[test], y[test])
    r2 = 1 - err ** 2 / y[test].var(unbiased=False).item()
    print(f"test rmse {err:.3f} MPa  R2 {r2:.4f}  (train rmse {rmse(model, x_dev, y_dev):.3f}, "
          f"predicting the mean {(y[test] - y_dev.mean()).pow(2).mean().sqrt():.3f})")


if __name__ == "__main__":
    main()
