"""Synthetic promoter task: does a sequence carry both boxes with a proper spacer?"""
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

BASES = "ACGT"
BOX_A, BOX_B = "TTGACA", "TATAAT"


def _mutate(box, rng):
    seq = list(box)
    if rng.random() < 0.15:
        seq[rng.integers(len(seq))] = BASES[rng.integers(4)]
    return "".join(seq)


def _sequence(rng, positive, length):
    seq = list(rng.choice(list(BASES), length))
    spacer = int(rng.integers(15, 20))
    start = int(rng.integers(0, length - spacer - 12))
    kind = "both" if positive else rng.choice(["none", "a", "b"])
    if kind in ("both", "a"):
        seq[start:start + 6] = _mutate(BOX_A, rng)
    if kind in ("both", "b"):
        seq[start + 6 + spacer:start + 12 + spacer] = _mutate(BOX_B, rng)
    return [BASES.index(c) for c in seq]


def make_split(n, length, seed):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    x = np.array([_sequence(rng, p, length) for p in y])
    return TensorDataset(torch.from_numpy(x).long(), torch.from_numpy(y.astype(np.int64)))


def make_loaders(args):
    train = make_split(args.n_train, args.length, args.seed)
    valid = make_split(args.n_valid, args.length, args.seed + 1)
    return DataLoader(train, args.batch_size, shuffle=True), DataLoader(valid, 250)
