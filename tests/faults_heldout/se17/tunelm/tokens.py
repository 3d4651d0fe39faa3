import random
from pathlib import Path

import torch

PAD, BOS, EOS = "<pad>", "<bos>", "<eos>"


class Tunes:
    def __init__(self, path, val_count, seed):
        lines = [line.split() for line in Path(path).read_text().splitlines() if line.strip()]
        random.Random(seed).shuffle(lines)
        val, train = lines[:val_count], lines[val_count:]
        self.vocab = [PAD, BOS, EOS] + sorted({t for tune in train for t in tune})
        self.index = {t: i for i, t in enumerate(self.vocab)}
        self.longest = max(len(t) for t in lines) + 2
        self.train, self.val = self.encode(train), self.encode(val)

    def encode(self, tunes):
        out = torch.full((len(tunes), self.longest), self.index[PAD])
        for r, tune in enumerate(tunes):
            ids = [self.index[BOS]] + [self.index[t] for t in tune if t in self.index] + [self.index[EOS]]
            out[r, :len(ids)] = torch.tensor(ids)
        return out
