import sys
from pathlib import Path

import torch
import yaml
from sklearn.metrics import roc_auc_score
from torch.nn.functional import binary_cross_entropy_with_logits as bce

from clickdata import load
from fm import FactorizationMachine


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    logit = model(x)
    p = logit.sigmoid()
    return {
        "logloss": bce(logit, y).item(),
        "auc": roc_auc_score(y.numpy(), p.numpy()),
        "calibration": (p.mean() / y.mean()).item(),
    }


def main(config="config.yaml"):
    here = Path(__file__).parent
    cfg = yaml.safe_load((here / config).read_text())
    torch.manual_seed(cfg["seed"])
    d, o = cfg["data"], cfg["optim"]
    (x, y), (xv, yv), n_values = load(here / d["path"], d["fields"], d["holdout"])
    base = y.mean()
    print(f"{len(y)} train, {len(yv)} val impressions, click rate {base:.3f}, "
          f"logloss of the base rate {bce(torch.logit(base).expand_as(yv), yv):.4f}")

    model = FactorizationMachine(n_values, base_rate=base, **cfg["model"])
    opt = getattr(torch.optim, o["name"])(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=o["epochs"])
    for epoch in range(o["epochs"]):
        model.train()
        total = 0.0
        for rows in torch.randperm(len(y)).split(o["batch_size"]):
            loss = bce(model(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        sched.step()
        m = evaluate(model, xv, yv)
        print(f"epoch {epoch} train {total / len(y):.4f} " + " ".join(f"val_{k} {v:.4f}" for k, v in m.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
