import torch


class Stream:
    """`rows` parallel readers walk through the text side by side; windows follow each other in reading order."""

    def __init__(self, ids, rows, window):
        n = (len(ids) - 1) // rows
        self.x = ids[: rows * n].view(rows, n)
        self.y = ids[1: rows * n + 1].view(rows, n)
        self.window = window

    def __len__(self):
        return -(-self.x.shape[1] // self.window)

    def __iter__(self):
        for s in range(0, self.x.shape[1], self.window):
            yield self.x[:, s:s + self.window], self.y[:, s:s + self.window]


def alphabet(text):
    chars = sorted(set(text))
    table = {c: i for i, c in enumerate(chars)}
    return chars, torch.tensor([table[c] for c in text])
