"""Transitions of the cart simulator, collected by several simulation workers.

Each worker writes one file with the arrays state (N, 6), force (N, 2) and
next_state (N, 6). A training batch takes the same number of rows from every worker,
so that no single simulation dominates a step.
"""
import glob
import os

import numpy as np
import torch


class RolloutFile:
    def __init__(self, path):
        blob = np.load(path)
        self.worker = int(blob["worker"])
        self.inputs = torch.from_numpy(np.concatenate([blob["state"], blob["force"]], 1).astype(np.float32))
        self.delta = torch.from_numpy((blob["next_state"] - blob["state"]).astype(np.float32))

    def __len__(self):
        return len(self.inputs)


class InterleavedRollouts:
    def __init__(self, files, per_worker, generator):
        self.files = files
        self.per_worker = per_worker
        self.generator = generator
        self.length = min(len(f) for f in files)

    def __len__(self):
        return self.length // self.per_worker

    def __iter__(self):
        order = torch.randperm(self.length, generator=self.generator)
        for k in range(len(self)):
            rows = order[k * self.per_worker:(k + 1) * self.per_worker]
            yield (
                torch.cat([f.inputs[rows] for f in self.files]),
                torch.cat([f.delta[rows] for f in self.files]),
            )


def open_rollouts(folder):
    train = [RolloutFile(p) for p in sorted(glob.glob(os.path.join(folder, "worker_*.npz")))]
    test = RolloutFile(os.path.join(folder, "eval.npz"))
    return train, test


class Scaler:
    def __init__(self, x):
        self.mean = x.mean(0)
        self.std = x.std(0) + 1e-6

    def __call__(self, x):
        return (x - self.mean) / self.std
