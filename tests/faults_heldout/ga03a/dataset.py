import json
from pathlib import Path

import numpy as np
import torch


class Corpus:
    """Fixed-width token/tag matrices as written by the exporter, plus the vocabulary file that goes with them."""

    def __init__(self, folder: Path):
        vocab = json.loads((folder / "vocab.json").read_text())
        self.vocab_size = vocab["tokens"]["size"]
        self.pad = vocab["tokens"]["special"]["pad"]
        self.labels = vocab["labels"]
        z = np.load(folder / "notes.npz")
        self.parts = {}
        for part in ("train", "dev"):
            self.parts[part] = (
                torch.from_numpy(z[f"{part}_tokens"].astype(np.int64)),
                torch.from_numpy(z[f"{part}_tags"].astype(np.int64)),
                torch.from_numpy(z[f"{part}_lengths"].astype(np.int64)),
            )

    def batches(self, part, size, generator=None):
        tokens, tags, lengths = self.parts[part]
        n = len(tokens)
        order = torch.randperm(n, generator=generator) if generator is not None else torch.arange(n)
        for rows in order.split(size):
            yield tokens[rows], tags[rows], lengths[rows]
