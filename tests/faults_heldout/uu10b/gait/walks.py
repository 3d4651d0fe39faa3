from pathlib import Path

import numpy as np
import torch


class Walks:
    """walks[person, recording, feature]; two recordings of one person make a pair."""

    def __init__(self, held_out):
        walks = np.load(Path(__file__).resolve().parents[1] / "walks.npz")["walks"].astype(np.float32)
        walks = torch.from_numpy(walks)
        known = walks[:-held_out]
        walks = (walks - known.mean((0, 1))) / known.std((0, 1))
        self.known, self.new = walks[:-held_out], walks[-held_out:]

    def pairs(self, people):
        first = torch.randint(4, (len(people),))
        second = (first + torch.randint(1, 4, (len(people),))) % 4
        return self.known[people, first], self.known[people, second]
