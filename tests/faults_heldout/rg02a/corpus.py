import pathlib

import numpy as np
import torch

ROOT = pathlib.Path(__file__).parent


class Vocabulary:
    def __init__(self, path):
        self.itos = [line.rstrip("\n") for line in open(path, encoding="utf-8")]
        self.stoi = {tok: i for i, tok in enumerate(self.itos)}
        self.pad = self.stoi.get("<pad>", -1)

    def __len__(self):
        return len(self.itos)


def load_sessions(name):
    """Padded clickstream matrix (N, T) and the purchase category of every session."""
    z = np.load(ROOT / name)
    return torch.from_numpy(z["events"].astype(np.int64)), torch.from_numpy(z["bought"].astype(np.int64))


def batches(events, bought, size, gen=None):
    idx = torch.arange(len(events)) if gen is None else torch.randperm(len(events), generator=gen)
    for i in range(0, len(idx), size):
        j = idx[i:i + size]
        yield events[j], bought[j]
