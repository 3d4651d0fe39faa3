import torch

PAD, BOS, EOS = 0, 1, 2


class Chars:
    def __init__(self, texts):
        self.chars = sorted(set("".join(texts)))
        self.index = {c: i + 3 for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars) + 3

    def encode(self, s):
        return [self.index[c] for c in s]

    def decode(self, ids):
        out = ""
        for i in ids:
            if i == EOS:
                break
            out += self.chars[i - 3] if i >= 3 else "?"
        return out


def pad(rows):
    out = torch.full((len(rows), max(map(len, rows))), PAD)
    for k, r in enumerate(rows):
        out[k, : len(r)] = torch.tensor(r)
    return out
