import numpy as np
import torch
from torch import nn


def cohort(cfg):
    z = np.load(cfg["file"])
    x = torch.from_numpy(z["covariates"].astype(np.float32))
    t = torch.from_numpy(z["months"])
    e = torch.from_numpy(z["event"].astype(np.float32))
    g = torch.Generator().manual_seed(cfg["seed"])
    perm = torch.randperm(len(x), generator=g)
    k = int(len(x) * cfg["holdout"])
    pick = lambda i: (x[i], t[i], e[i])
    return pick(perm[k:]), pick(perm[:k])


def network(cfg, d):
    w = cfg["width"]
    return nn.Sequential(
        nn.Linear(d, w), nn.SiLU(), nn.Dropout(cfg["dropout"]),
        nn.Linear(w, w), nn.SiLU(), nn.Dropout(cfg["dropout"]),
        nn.Linear(w, 1), nn.Flatten(0),
    )


def optimizer(cfg, params):
    cfg = dict(cfg)
    cls = getattr(torch.optim, cfg.pop("name"))
    if "betas" in cfg:
        cfg["betas"] = tuple(cfg["betas"])
    return cls(params, **cfg)
