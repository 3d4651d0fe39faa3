"""Accelerometer sessions. Each session is <name>.npy (windows x axes x samples, int8)
with its annotation sheet <name>.txt, one activity per line."""
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import ConcatDataset, Dataset

ACTIVITIES = ["cycling", "rowing", "running", "sitting", "stairs", "walking"]


class Session(Dataset):
    def __init__(self, root, name):
        root = Path(root)
        signal = np.load(root / f"{name}.npy")
        sheet = (root / f"{name}.txt").read_text().splitlines()
        notes = [line.strip() for line in sheet if line.strip()]
        n = min(len(signal), len(notes))
        self.signal = torch.from_numpy(signal[:n]).float() / 32.0
        self.label = torch.tensor([ACTIVITIES.index(a) for a in notes[:n]])

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.signal[i], self.label[i]


def sessions(root, names):
    return ConcatDataset([Session(root, n) for n in names])
