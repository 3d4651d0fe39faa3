from pathlib import Path

import torch

PAD, BOS, EOS = 0, 1, 2


class Vocab:
    def __init__(self, words):
        self.chars = sorted({c for w in words for c in w})
        self.index = {c: i + 3 for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars) + 3

    def encode(self, word, max_len):
        ids = [BOS] + [self.index[c] for c in word] + [EOS]
        return ids + [PAD] * (max_len - len(ids))

    def decode(self, ids):
        out = []
        for i in ids:
            if i in (EOS, PAD):
                break
            if i > 2:
                out.append(self.chars[i - 3])
        return "".join(out)


def load(path, max_len, holdout=0.1):
    words = [w for w in Path(path).read_text().split("\n") if w]
    vocab = Vocab(words)
    data = torch.tensor([vocab.encode(w, max_len) for w in words])
    cut = int(len(data) * (1 - holdout))
    return vocab, data[:cut], data[cut:]
