"""Bus frames: two header bytes (protocol revision, device class), then 22 opcode bytes, each with a field tag."""
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import TensorDataset


def load(part):
    z = np.load(Path(__file__).parent / "frames.npz")
    return TensorDataset(torch.from_numpy(z[part + "_bytes"].astype(np.int64)),
                         torch.from_numpy(z[part + "_tags"].astype(np.int64)))


IGNORE = -100      # header bytes carry no tag
VOCAB, TAGS, LENGTH = 48, 8, 24
