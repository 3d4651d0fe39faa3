from pathlib import Path

import torch


class CharCorpus:
    """Whole log as one id tensor; the last months are kept for validation."""

    def __init__(self, path, val_fraction=0.1):
        text = Path(path).read_text()
        self.vocab = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.vocab)}
        ids = torch.tensor([self.stoi[c] for c in text], dtype=torch.long)
        cut = int(len(ids) * (1 - val_fraction))
        self.train, self.val = ids[:cut], ids[cut:]

    def encode(self, s):
        return torch.tensor([self.stoi[c] for c in s], dtype=torch.long)

    def decode(self, ids):
        return "".join(self.vocab[int(i)] for i in ids)

    def sample(self, batch, block, generator):
        start = torch.randint(0, len(self.train) - block - 1, (batch,), generator=generator)
        rows = start[:, None] + torch.arange(block + 1)
        chunk = self.train[rows]
        return chunk[:, :-1], chunk[:, 1:]

    def val_blocks(self, block):
        n = (len(self.val) - 1) // block
        x = self.val[: n * block].view(n, block)
        y = self.val[1: n * block + 1].view(n, block)
        return x, y
