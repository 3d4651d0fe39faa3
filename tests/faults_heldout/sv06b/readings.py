"""Reads the listing table and turns it into tensors."""
import csv
from pathlib import Path

import numpy as np
import torch

NUMERIC = ["area", "rooms", "age", "floor", "distance", "garden"]


def read_table(path: Path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    numeric = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    district = np.array([int(r["district"]) for r in rows], dtype=np.int64)
    energy = np.array(["ABCDE".index(r["energy"]) for r in rows], dtype=np.int64)
    price = np.array([float(r["price"]) for r in rows], dtype=np.float32)
    return numeric, district, energy, price


def split(n, fraction, seed):
    order = np.random.default_rng(seed).permutation(n)
    cut = int(n * fraction)
    return order[:cut], order[cut:]


def tensors(path, fraction=0.8, seed=0):
    numeric, district, energy, price = read_table(path)
    tr, va = split(len(price), fraction, seed)
    mean, std = numeric[tr].mean(0), numeric[tr].std(0)
    numeric = (numeric - mean) / std

    def pack(idx):
        return (
            torch.from_numpy(numeric[idx]),
            torch.from_numpy(district[idx]),
            torch.from_numpy(energy[idx]),
            torch.from_numpy(price[idx]),
        )

    return pack(tr), pack(va)
