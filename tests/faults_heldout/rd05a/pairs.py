from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class Tokenizer:
    def __init__(self, sentences, length=12):
        words = sorted({w for s in sentences for w in s.split()})
        self.ids = {w: i + 2 for i, w in enumerate(words)}
        self.length = length
        self.size = len(words) + 2

    def __call__(self, sentence):
        ids = [self.ids.get(w, 1) for w in sentence.split()][: self.length]
        return ids + [0] * (self.length - len(ids))


class CaptionPairs(Dataset):
    """One image embedding per row of embeddings.npy, one caption per line of captions.txt."""

    def __init__(self, folder, tokenizer=None, stats=None):
        folder = Path(folder)
        feats = torch.from_numpy(np.load(folder / "embeddings.npy")).float()
        captions = (folder / "captions.txt").read_text().splitlines()
        assert len(feats) == len(captions)
        self.tokenizer = tokenizer or Tokenizer(captions)
        self.stats = stats or (feats.mean(0), feats.std(0))
        self.images = (feats - self.stats[0]) / self.stats[1]
        self.tokens = torch.tensor([self.tokenizer(c) for c in captions])

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return self.images[i], self.tokens[i]
