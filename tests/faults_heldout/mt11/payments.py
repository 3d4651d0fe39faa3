import numpy as np
import torch

FIELDS = ["amount", "hour_sin", "hour_cos", "distance", "new_merchant", "tries", "age_of_card", "foreign", "speed", "basket"]


def draw(n, g, share=0.02):
    fraud = g.random(n) < share
    kind = g.integers(0, 2, n)           # two fraud patterns
    hour = np.where(fraud & (kind == 0), g.normal(3, 1.5, n), g.normal(14, 4.5, n)) % 24
    amount = g.lognormal(3.3, 0.9, n) * np.where(fraud & (kind == 0), 4.0, 1.0) * np.where(fraud & (kind == 1), 0.3, 1.0)
    tries = 1 + g.poisson(np.where(fraud & (kind == 1), 5.0, 0.25))
    distance = g.gamma(1.5, 8, n) * np.where(fraud & (kind == 0), 6, 1)
    new = g.random(n) < np.where(fraud, 0.85, 0.25)
    age = g.gamma(3, 12, n)
    foreign = g.random(n) < np.where(fraud, 0.6, 0.06)
    speed = g.normal(np.where(fraud & (kind == 1), 2.4, 0.0), 1, n)
    basket = 1 + g.poisson(2.5, n)
    h = 2 * np.pi * hour / 24
    x = np.stack([np.log(amount), np.sin(h), np.cos(h), np.log1p(distance), new, np.log(tries),
                  np.sqrt(age), foreign, speed, np.log(basket)], 1)
    return x.astype(np.float32), fraud.astype(np.float32)


def prepare(cfg):
    g = np.random.default_rng(cfg.getint("seed"))
    xa, ya = draw(cfg.getint("train"), g)
    xb, yb = draw(cfg.getint("test"), g)
    m, s = xa.mean(0), xa.std(0)
    return [torch.from_numpy(v) for v in ((xa - m) / s, ya, (xb - m) / s, yb)]
