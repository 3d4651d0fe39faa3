from pathlib import Path

import torch


class CharTokenizer:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars)

    def encode(self, s):
        return torch.tensor([self.stoi[c] for c in s], dtype=torch.long)

    def decode(self, ids):
        return "".join(self.chars[int(i)] for i in ids)


def load_corpus(path):
    text = Path(path).read_text()
    tok = CharTokenizer(text)
    data = tok.encode(text)
    cut = int(0.9 * len(data))
    return tok, data[:cut], data[cut:]
