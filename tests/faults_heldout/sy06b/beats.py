import numpy as np
import torch
from torch.utils.data import TensorDataset

CLASSES = ["normal", "no_p_wave", "wide_qrs", "inverted_t"]


def load_beats(path, split):
    archive = np.load(path)
    chosen = archive["split"] == split
    signal = archive["signal"][chosen].astype("float32") / 100.0
    signal = signal - signal.mean(axis=1, keepdims=True)
    signal = signal / signal.std(axis=1, keepdims=True)
    label = archive["label"][chosen].astype("int64")
    return TensorDataset(torch.from_numpy(signal).unsqueeze(1), torch.from_numpy(label))
