from pathlib import Path

import torch


class CharVocab:
    def __init__(self, text):
        self.itos = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return torch.tensor([self.stoi[c] for c in text], dtype=torch.long)

    def decode(self, ids):
        return "".join(self.itos[int(i)] for i in ids)


def load_corpus(path, holdout):
    text = Path(path).read_text(encoding="utf-8")
    vocab = CharVocab(text)
    ids = vocab.encode(text)
    cut = int(len(ids) * (1.0 - holdout))
    return vocab, ids[:cut], ids[cut:]


def sample_blocks(ids, block, batch, gen):
    start = torch.randint(0, len(ids) - block - 1, (batch,), generator=gen)
    rows = start[:, None] + torch.arange(block + 1)[None]
    chunk = ids[rows]
    return chunk[:, :-1], chunk[:, 1:]


def sequential_blocks(ids, block, batch):
    n = (len(ids) - 1) // block
    x = ids[: n * block].view(n, block)
    y = ids[1 : n * block + 1].view(n, block)
    for i in range(0, n, batch):
        yield x[i : i + batch], y[i : i + batch]
