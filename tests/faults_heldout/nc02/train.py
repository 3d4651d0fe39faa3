import json
from pathlib import Path

import torch

import recsys.losses  # noqa: F401
import recsys.models  # noqa: F401
from recsys.data import Interactions, NegativeSampler
from recsys.ema import WeightAverage
from recsys.evaluate import ranking_metrics
from recsys.registry import LOSSES, MODELS

ROOT = Path(__file__).resolve().parent


def build_optimizer(model, cfg):
    return torch.optim.Adam(model.parameters(), lr=cfg["lr"], weight_decay=cfg["embedding_decay"])


def main():
    cfg = json.loads((ROOT / "config.json").read_text())
    torch.manual_seed(cfg["seed"])

    data = Interactions(ROOT / cfg["interactions"])
    sampler = NegativeSampler(data, seed=cfg["seed"], **cfg["sampler"])
    mcfg = dict(cfg["model"])
    model = MODELS.build(mcfg.pop("name"), data.n_users, data.n_items, **mcfg)
    loss_fn = LOSSES[cfg["loss"]["name"]]
    optimizer = build_optimizer(model, cfg["optimizer"])
    average = WeightAverage(model, cfg["ema"]["decay"]) if cfg["ema"]["enabled"] else None

    tcfg = cfg["training"]
    print(f"{data.n_users} users, {data.n_items} items, {len(data.pairs)} training pairs")
    step = 0
    for epoch in range(1, tcfg["epochs"] + 1):
        model.train()
        running = 0.0
        for users, items in sampler:
            loss = loss_fn(model(users, items))
            total = loss + cfg["regularizer"]["l2"] * model.penalty(users, items)
            optimizer.zero_grad(set_to_none=True)
            total.backward()
            optimizer.step()
            step += 1
            if average is not None:
                average.update(model, step)
            running += loss.item()
        line = f"epoch {epoch:2d}  loss {running / len(sampler):.4f}"
        if epoch % tcfg["eval_every"] == 0:
            hr, ndcg = ranking_metrics(average.model if average else model, data, tcfg["top_k"])
            line += f"  hr@{tcfg['top_k']} {hr:.3f}  ndcg {ndcg:.3f}"
        print(line)


if __name__ == "__main__":
    main()
