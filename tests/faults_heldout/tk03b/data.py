"""Single-lead beats cut around the R peak (64 samples, int8 ADC units).

train_beats.npz  signal [n, 64], symbol [n]   annotation symbols as in the record's .atr file
test_beats.npz   signal [n, 64], aami [n]     class codes of the benchmark: 0 N, 1 S, 2 V, 3 F, 4 Q
"""
import json
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

HERE = Path(__file__).parent
CLASSES = ["N", "S", "V", "F", "Q"]


class BeatDataset(Dataset):
    def __init__(self, signal, target):
        self.signal = torch.tensor(signal, dtype=torch.float32) / 64.0
        self.target = torch.tensor(target, dtype=torch.long)

    def __len__(self):
        return len(self.target)

    def __getitem__(self, i):
        return {"signal": self.signal[i], "labels": self.target[i]}


def load_splits():
    codes = json.loads((HERE / "symbols.json").read_text())
    train = np.load(HERE / "train_beats.npz")
    test = np.load(HERE / "test_beats.npz")
    target = np.array([codes[s] for s in train["symbol"]])
    return BeatDataset(train["signal"], target), BeatDataset(test["signal"], test["aami"])
