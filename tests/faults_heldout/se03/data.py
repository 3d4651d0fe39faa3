from pathlib import Path

import torch


class Corpus:
    """Character corpus; the last part of the text is kept for validation."""

    def __init__(self, path, val_fraction=0.1):
        text = Path(path).read_text()
        cut = text.rfind("\n", 0, int(len(text) * (1 - val_fraction))) + 1
        self.chars = sorted(set(text[:cut]))
        self.stoi = {c: i for i, c in enumerate(self.chars)}
        self.train = self.encode(text[:cut])
        self.val = self.encode(text[cut:])

    def encode(self, s):
        return torch.tensor([self.stoi[c] for c in s if c in self.stoi], dtype=torch.long)

    def decode(self, ids):
        return "".join(self.chars[int(i)] for i in ids)


def to_streams(ids, n_streams):
    """Cut the sequence into n_streams long parallel strips: (time, streams)."""
    steps = len(ids) // n_streams
    return ids[: steps * n_streams].view(n_streams, steps).t().contiguous()


def windows(streams, bptt):
    for t in range(0, len(streams) - 1, bptt):
        n = min(bptt, len(streams) - 1 - t)
        yield streams[t:t + n], streams[t + 1:t + 1 + n]
