from collections import Counter

import torch


class Vocab:
    def __init__(self, texts, min_count=3):
        c = Counter(t for s in texts for t in s.split())
        self.itos = ["<unk>"] + sorted(w for w, k in c.items() if k >= min_count)
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return [self.stoi.get(w, 0) for w in text.split()]


class Collate:
    """Packs variable-length tickets into the flat + offsets form of EmbeddingBag."""

    def __init__(self, word_dropout=0.0):
        self.word_dropout = word_dropout

    def __call__(self, batch):
        flat, offs, ys = [], [], []
        for ids, y in batch:
            if self.word_dropout > 0:
                keep = torch.rand(len(ids)) >= self.word_dropout
                kept = [w for w, k in zip(ids, keep.tolist()) if k]
                ids = kept or ids
            offs.append(len(flat))
            flat.extend(ids)
            ys.append(y)
        return torch.tensor(flat), torch.tensor(offs), torch.tensor(ys)
