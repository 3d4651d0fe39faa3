import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn

from coxnet import EarlyStop, Engine, Printer

ROOT = Path(__file__).resolve().parent


def load(seed):
    table = np.loadtxt(ROOT / "cohort.csv", delimiter=",", skiprows=1, dtype=np.float32)
    table = table[np.random.default_rng(seed).permutation(len(table))]
    x, days, event = table[:, :-2], table[:, -2], table[:, -1]
    stage = np.eye(4, dtype=np.float32)[x[:, 4].astype(int)]
    x = np.concatenate([np.delete(x, 4, 1), stage], 1)
    a, b = int(0.6 * len(x)), int(0.8 * len(x))
    x = (x - x[:a].mean(0)) / x[:a].std(0)
    t = [torch.from_numpy(v.copy()) for v in (x, days, event)]
    return tuple(tuple(v[s] for v in t) for s in (slice(0, a), slice(a, b), slice(b, None)))


def build(n_in, widths, dropout):
    layers = []
    for w in widths:
        layers += [nn.Linear(n_in, w), nn.SELU(), nn.Dropout(dropout)]
        n_in = w
    return nn.Sequential(*layers, nn.Linear(n_in, 1, bias=False))


def main():
    cfg = tomllib.loads((ROOT / "cohort.toml").read_text())
    torch.manual_seed(cfg["seed"])
    train, valid, test = load(cfg["seed"])
    net = build(train[0].shape[1], **cfg["net"])
    opt = torch.optim.AdamW(net.parameters(), **cfg["optimizer"])
    engine = Engine(net, opt, [Printer(cfg["fit"].pop("print_every")), EarlyStop(**cfg["stopping"])])
    engine.fit(train, valid, **cfg["fit"])
    nll, c = engine.evaluate(test)
    print(f"test nll {nll:.4f}  test c-index {c:.4f}")


if __name__ == "__main__":
    main()
