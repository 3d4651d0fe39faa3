"""Compressive strength of concrete mixes (MPa), simulated from an Abrams-type law with curing age."""
import numpy as np
import torch

COLUMNS = ["cement", "slag", "water", "superplasticizer", "coarse", "fine", "age"]


def make(n, rng):
    cement = rng.uniform(150, 500, n)
    slag = rng.uniform(0, 200, n) * (rng.random(n) < 0.6)
    water = rng.uniform(140, 230, n)
    sp = rng.uniform(0, 20, n)
    coarse = rng.normal(970, 70, n)
    fine = rng.normal(770, 70, n)
    age = np.exp(rng.uniform(np.log(3), np.log(365), n))
    wb = water / (cement + 0.7 * slag) - 0.006 * sp
    grow = age / (age + 4.5 + 0.03 * slag)
    strength = 115 * np.exp(-1.9 * wb) * grow * (1 - 0.0004 * np.abs(coarse - 980))
    strength = strength + rng.normal(0, 1, n) * (0.8 + 0.04 * strength)
    x = np.stack([cement, slag, water, sp, coarse, fine, np.log(age)], 1)
    return x.astype(np.float32), strength.astype(np.float32)


class Standard:
    def __init__(self, a):
        self.m, self.s = a.mean(0), a.std(0)

    def __call__(self, a):
        return torch.from_numpy((a - self.m) / self.s)


def load(seed):
    rng = np.random.default_rng(seed)
    xt, yt = make(4000, rng)
    xv, yv = make(1000, rng)
    fx, fy = Standard(xt), Standard(yt)
    return (fx(xt), fy(yt)), (fx(xv), fy(yv)), fy
