from collections import Counter

import torch

EOS = "<eos>"


class Lexicon:
    def __init__(self, lines):
        counts = Counter(w for line in lines for w in line)
        self.itos = [EOS] + [w for w, _ in counts.most_common()]
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def encode(self, lines):
        return torch.tensor([self.stoi[w] for line in lines for w in line + [EOS]])


def read_lines(path):
    with open(path, encoding="utf8") as fh:
        return [line.split() for line in fh if line.strip()]


class Windows:
    """Random crops of the token stream for training, consecutive ones for scoring."""

    def __init__(self, stream, length):
        self.stream, self.length = stream, length

    def sample(self, n):
        start = torch.randint(len(self.stream) - self.length - 1, (n,))
        idx = start[:, None] + torch.arange(self.length + 1)
        chunk = self.stream[idx]
        return chunk[:, :-1], chunk[:, 1:]

    def consecutive(self):
        n = (len(self.stream) - 1) // self.length
        x = self.stream[: n * self.length].view(n, self.length)
        y = self.stream[1: n * self.length + 1].view(n, self.length)
        return x, y
