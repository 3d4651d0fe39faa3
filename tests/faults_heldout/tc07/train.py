import csv
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

ROOT = Path(__file__).resolve().parent


def load(cfg):
    with open(ROOT / cfg["file"]) as f:
        rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(f)]
    col = {k: np.array([r[k] for r in rows]) for k in rows[0]}
    hour = 2 * np.pi * col["hour"] / 24
    feats = [np.sin(k * hour) for k in (1, 2, 3)] + [np.cos(k * hour) for k in (1, 2, 3)]
    feats += [(col["weekday"] >= 5).astype(float), col["rain"], col["temp"]]
    x = np.stack(feats, 1)
    is_val = col["day"] % cfg["val_days_every"] == 0
    mean, std = x[~is_val].mean(0), x[~is_val].std(0)
    x = torch.tensor((x - mean) / std, dtype=torch.float32)
    y = torch.tensor(col["count"], dtype=torch.float32)
    m = torch.tensor(is_val)
    return x[~m], y[~m], x[m], y[m]


def deviance(log_rate, y):
    """Poisson deviance per observation."""
    rate = log_rate.exp()
    ratio = torch.where(y > 0, y * (y.clamp_min(1).log() - log_rate), torch.zeros_like(y))
    return 2 * (ratio - (y - rate)).mean()


def main():
    cfg = json.loads((ROOT / "config.json").read_text())
    tc = cfg["train"]
    torch.manual_seed(tc["seed"])
    x, y, xv, yv = load(cfg["data"])
    w = cfg["model"]["width"]
    net = nn.Sequential(nn.Linear(x.shape[1], w), nn.SiLU(), nn.Linear(w, w), nn.SiLU(), nn.Linear(w, 1))
    net[-1].bias.data.fill_(float(y.mean().log()))

    # log likelihood of the batch, i.e. summed; lr is chosen for it
    nll = nn.PoissonNLLLoss(log_input=True, reduction="sum")
    opt = torch.optim.SGD(net.parameters(), lr=tc["lr"], momentum=tc["momentum"])
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, tc["milestones"], gamma=0.2)
    null_dev = deviance(y.mean().log().expand_as(yv), yv).item()
    print(f"train hours {len(x)}  val hours {len(xv)}  null deviance {null_dev:.3f}")

    for epoch in range(tc["epochs"]):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(tc["batch"]):
            opt.zero_grad()
            loss = nll(net(x[idx]).squeeze(-1), y[idx])
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if epoch % 4 == 3:
            net.eval()
            with torch.no_grad():
                dev = deviance(net(xv).squeeze(-1), yv).item()
            print(f"epoch {epoch + 1:2d}  train nll/hour {total / len(x):8.4f}  val deviance {dev:.3f}  D2 {1 - dev / null_dev:.3f}")


if __name__ == "__main__":
    main()
