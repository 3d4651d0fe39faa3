import sys
import tomllib
from pathlib import Path

import torch

from recsys import BiasedMF, Engine, load_ratings

here = Path(__file__).resolve().parent


def main(config_name="config.toml"):
    with open(here / config_name, "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["run"]["seed"])

    data = load_ratings(
        here / cfg["data"]["file"],
        cfg["data"]["valid_fraction"],
        cfg["data"]["batch_size"],
        cfg["run"]["seed"],
    )
    print(f"{data.n_users} users, {data.n_items} movies, mean rating {data.mean:.2f}")

    model = BiasedMF(data.n_users, data.n_items, cfg["model"]["factors"], data.mean)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=cfg["optim"]["lr"], weight_decay=cfg["optim"]["weight_decay"]
    )
    engine = Engine(model, optimizer, accumulate=cfg["optim"]["accumulate"])
    best = engine.fit(data.train, data.valid, cfg["optim"]["epochs"])
    print(f"best validation rmse {best:.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
