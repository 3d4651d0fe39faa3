"""Reading of the accelerometer archive.

accel.npy   int8 (recordings, samples), in the order of the index
index.csv   recording, machine, rpm, split, condition
"""
import os

import numpy as np
import pandas as pd
import torch

CONDITIONS = ("normal", "inner_race", "outer_race", "imbalance")


class Archive:
    def __init__(self, folder, signals, index, full_scale):
        self.signals = np.load(os.path.join(folder, signals))
        self.index = pd.read_csv(os.path.join(folder, index))
        self.full_scale = full_scale

    def split(self, name):
        xs, ys = [], []
        for signal, row in zip(self.signals, self.index.itertuples()):
            if row.split != name:
                continue
            xs.append(signal.astype(np.float32) / 127.0 * self.full_scale)
            ys.append(CONDITIONS.index(row.condition))
        return torch.from_numpy(np.stack(xs)).unsqueeze(1), torch.tensor(ys)
