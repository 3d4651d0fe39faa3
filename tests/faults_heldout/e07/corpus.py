import numpy as np
import torch
from torch.utils.data import IterableDataset

VOCAB = 24
BOS = 0


def make_source(seed=13):
    """A second-order source: the next token depends on the previous two."""
    rng = np.random.default_rng(seed)
    logits = 2.0 * rng.normal(size=(VOCAB, VOCAB - 1)) [:, None, :] + 1.0 * rng.normal(size=(1, VOCAB, VOCAB - 1))
    p = np.exp(logits - logits.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True)          # [prev, prev2, next-1]


def ideal_loss(table, rows):
    """Mean NLL of the true source over the scored tokens of the given rows."""
    tot, n = 0.0, 0
    for toks, docs, pos in rows:
        for i in range(1, len(toks)):
            if docs[i] == docs[i - 1]:
                b = int(toks[i - 2]) if pos[i] >= 2 else BOS
                tot -= np.log(table[int(toks[i - 1]), b, int(toks[i]) - 1])
                n += 1
    return tot / n


class PackedStream(IterableDataset):
    """Endless documents of varying length, packed back to back into rows of `block` tokens.

    Every row carries the document number and the position inside the document, so that
    attention can be kept inside a document.
    """

    def __init__(self, table, block, seed, rows=None):
        self.cum = table.cumsum(-1)
        self.block, self.seed, self.rows = block, seed, rows

    def document(self, rng):
        n = int(rng.integers(6, 40))
        out, a, b = [BOS], BOS, BOS
        for u in rng.random(n):
            a, b = min(int(np.searchsorted(self.cum[a, b], u)), VOCAB - 2) + 1, a
            out.append(a)
        return out

    def __iter__(self):
        rng = np.random.default_rng(self.seed)
        made = 0
        toks, docs, poss, d = [], [], [], 0
        while self.rows is None or made < self.rows:
            while len(toks) < self.block + 1:
                doc = self.document(rng)
                toks += doc
                docs += [d] * len(doc)
                poss += range(len(doc))
                d += 1
            n = self.block + 1
            yield torch.tensor(toks[:n]), torch.tensor(docs[:n]), torch.tensor(poss[:n])
            toks, docs, poss = [], [], []
            made += 1
