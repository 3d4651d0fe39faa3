import torch

PAD, START, STOP = "_", "<", ">"


class Symbols:
    def __init__(self, lines):
        letters = sorted(set("".join(lines)) - {PAD, START, STOP})
        self.chars = [PAD, START, STOP] + letters
        self.number = {c: i for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars)

    def rows(self, words):
        return torch.tensor([[self.number[c] for c in w] for w in words])

    def word(self, row):
        return "".join(self.chars[i] for i in row).split(STOP)[0]


def read_fixed_width(path):
    """Two fixed-width columns (lemma, form) with a bar between; forms end with '>'."""
    with open(path) as fh:
        lines = [ln.rstrip("\n") for ln in fh]
    return [ln.split("|")[0] for ln in lines], [ln.split("|")[1] for ln in lines]
