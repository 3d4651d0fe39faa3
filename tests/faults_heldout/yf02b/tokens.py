import numpy as np

SPECIALS = ["<pad>", "<bos>", "<eos>", "<unk>"]


class CharVocab:
    def __init__(self, texts):
        chars = sorted(set("".join(texts)))
        self.itos = SPECIALS + chars
        self.stoi = {c: i for i, c in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return [self.stoi.get(c, 3) for c in text]

    def decode(self, ids):
        out = []
        for i in ids:
            if i == 2:
                break
            if i > 3:
                out.append(self.itos[i])
        return "".join(out)


def pack(rows, bos=False, eos=False):
    """Left-aligned id matrix, as wide as the longest row."""
    rows = [([1] if bos else []) + list(r) + ([2] if eos else []) for r in rows]
    out = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for r, ids in enumerate(rows):
        out[r, : len(ids)] = ids
    return out


def bucketed(lengths, pool, batch, rng):
    """Endless batches of indices with similar lengths, in random order."""
    while True:
        order = rng.permutation(len(lengths))
        for p in range(0, len(order) - pool + 1, pool):
            part = order[p:p + pool]
            part = part[np.argsort(lengths[part], kind="stable")]
            chunks = [part[i:i + batch] for i in range(0, pool, batch)]
            for k in rng.permutation(len(chunks)):
                yield chunks[k]
