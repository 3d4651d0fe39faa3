"""Character corpus utilities."""
from pathlib import Path

import torch


class CharCorpus:
    def __init__(self, path: Path, val_fraction: float):
        text = path.read_text(encoding="utf-8")
        self.vocab = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.vocab)}
        ids = torch.tensor([self.stoi[c] for c in text], dtype=torch.long)
        cut = int(len(ids) * (1 - val_fraction))
        self.train, self.val = ids[:cut], ids[cut:]

    def __len__(self):
        return len(self.vocab)

    def decode(self, ids):
        return "".join(self.vocab[i] for i in ids)

    def sample_batch(self, batch_size, context, generator):
        starts = torch.randint(0, len(self.train) - context - 1, (batch_size,), generator=generator)
        idx = starts[:, None] + torch.arange(context + 1)
        chunk = self.train[idx]
        return chunk[:, :-1], chunk[:, 1:]

    def val_windows(self, context):
        n = (len(self.val) - 1) // context
        x = self.val[: n * context].view(n, context)
        y = self.val[1 : n * context + 1].view(n, context)
        return x, y
