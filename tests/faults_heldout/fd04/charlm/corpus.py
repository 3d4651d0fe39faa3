from pathlib import Path

import torch


class Corpus:
    """Character corpus split by paragraph, the last tenth is kept for validation."""

    def __init__(self, path, val_fraction=0.1):
        text = Path(path).read_text(encoding="utf-8")
        self.chars = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.chars)}
        paragraphs = text.splitlines(keepends=True)
        cut = int(len(paragraphs) * (1 - val_fraction))
        self.train = self.encode("".join(paragraphs[:cut]))
        self.val = self.encode("".join(paragraphs[cut:]))

    def encode(self, s):
        return torch.tensor([self.stoi[c] for c in s], dtype=torch.long)

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)

    def random_batch(self, batch, length):
        start = torch.randint(0, len(self.train) - length - 1, (batch,))
        window = torch.stack([self.train[s:s + length + 1] for s in start.tolist()])
        return window[:, :-1], window[:, 1:]

    def val_batches(self, batch, length):
        n = (len(self.val) - 1) // length
        x = self.val[:n * length].view(n, length)
        y = self.val[1:n * length + 1].view(n, length)
        for i in range(0, n, batch):
            yield x[i:i + batch], y[i:i + batch]
