"""Steam-trap triage: a missed defect costs a season of steam, a needless visit ten minutes.

We compare models by mean recall over the three states.
"""
import sys

import numpy as np
import torch
import yaml
from torch import nn
import torch.nn.functional as F

import parts
from plant import FIELDS, STATES, survey


def build(n_in, hidden, n_out):
    return nn.Sequential(
        nn.Linear(n_in, hidden), nn.LeakyReLU(0.1),
        nn.Linear(hidden, hidden), nn.LeakyReLU(0.1),
        nn.Linear(hidden, n_out),
    )


def judge(net, x, y):
    v = parts.Verdicts(STATES)
    with torch.no_grad():
        v.add(y, net(torch.from_numpy(x)).argmax(1).numpy())
    return v


def main(path):
    with open(path) as fh:
        cfg = yaml.safe_load(fh)
    torch.manual_seed(cfg["seed"])
    rng = np.random.default_rng(cfg["seed"])

    x, y = survey(cfg["survey"]["train"], seed=40)
    xt, yt = survey(cfg["survey"]["test"], seed=41)
    scaler = parts.QuantileScaler().fit(x)
    x, xt = scaler.apply(x), scaler.apply(xt)
    print("train:", dict(zip(STATES, np.bincount(y).tolist())), " test:", dict(zip(STATES, np.bincount(yt).tolist())))

    net = build(len(FIELDS), cfg["hidden"], len(STATES))
    move = parts.HeavyBall(net, **cfg["rule"])
    avg = parts.Average(net, cfg["average"])
    draw = parts.DRAWS[cfg["draw"]](y, cfg["batch"], rng)
    losses = []
    for step in range(cfg["steps"]):
        rows = next(draw)
        loss = F.cross_entropy(net(torch.from_numpy(x[rows])), torch.from_numpy(y[rows]))
        loss.backward()
        move(parts.triangle(step, cfg["steps"]))
        avg.take(net)
        losses.append(loss.item())
        if (step + 1) % cfg["report"] == 0:
            r = judge(avg.copy, xt, yt).recall()
            print(f"{step + 1:5d}  loss {np.mean(losses):.4f}  recall " +
                  "  ".join(f"{n} {q:.2f}" for n, q in zip(STATES, r)) + f"  mean {r.mean():.3f}")
            losses = []
    fit = judge(avg.copy, x, y)
    final = judge(avg.copy, xt, yt)
    print(f"mean recall: train {fit.recall().mean():.3f}  test {final.recall().mean():.3f}")
    print("test recall:", "  ".join(f"{n} {q:.2f}" for n, q in zip(STATES, final.recall())),
          f"  sent to the fitters: {100 * final.flagged():.1f} %")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "survey.yaml")
